"""Call expressions: what is called, as data that every language's loop is generated from."""
