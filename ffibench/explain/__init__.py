"""What a crossing is made of: signatures, the shapes that price them, and the sums. It measures nothing itself."""
