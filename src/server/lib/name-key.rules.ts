/** Key for comparing usernames and addresses: case-insensitive. Both are ASCII by contract. */
export function nameKey(name: string): string {
  return name.trim().toLowerCase()
}
