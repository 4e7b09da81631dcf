"""When a host is noisy: from facts that were read to disturbances of rounds and warnings. Reads nothing itself."""
