"""What plugins say of themselves, and what is wrong with it."""
