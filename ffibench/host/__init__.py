"""What is read of the machine and of a live worker: /proc, /sys, control groups."""
