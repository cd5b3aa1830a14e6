"""AMD matrix cores on any machine."""
