"""What each command does, step by step."""
