"""Tables for a reader: a `Run` and its `Comparison` as text for a terminal, a pipe or an issue.

What a table says (`cells`, `facts`, `interpreters`) is apart from how it is shown (`table`, `footer`,
`matrix`, `shell`, `markdown`, `console`), so that the terminal and Markdown never disagree.
"""
