"""Tables and screens as rich draws them on a terminal or into a pipe."""
