"""Device memory: allocations in one reserved range, checked on every access."""
