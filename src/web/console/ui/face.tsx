/** A person's initials in a circle; decoration beside the name. */
export function Face({ name, size }: { name: string; size?: 'large' }) {
  const words = name.split(/\s+/).filter(Boolean)
  const initials = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => word?.[0] ?? '').join('')
  return <span className={size ? `face ${size}` : 'face'} data-initials={initials.toUpperCase()} aria-hidden="true" />
}
