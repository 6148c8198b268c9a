"""What the hook kernel costs, measured. ``python -m benchmarks`` measures, prints the table and writes the report."""
