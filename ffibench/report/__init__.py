"""What a reader is told of a `Run` and its `Comparison`.

`report.make_report` makes one `Report` of them: tables, charts, facts, gates and warnings as plain values.
`terminal` draws it with rich, each file in `exports` writes it in a format, so that they never disagree.
"""
