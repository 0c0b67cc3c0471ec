export type FormValue = string | FormValue[] | { [key: string]: FormValue }
export type FormObject = { [key: string]: FormValue }

/** Parses `a[b][0][c]=1&d[]=2` into nested objects and lists, as Stripe does for form bodies and queries. */
export function parseForm(text: string): FormObject {
  const root: FormObject = Object.create(null) as FormObject
  for (const [name, value] of new URLSearchParams(text)) position(root, parseKeys(name), value)
  return listsFromNumberedKeys(root) as FormObject
}

function parseKeys(name: string): string[] {
  const open = name.indexOf('[')
  if (open <= 0) return [name]
  return [
    name.slice(0, open),
    ...name
      .slice(open + 1)
      .replace(/\]$/, '')
      .split(']['),
  ]
}

function position(root: FormObject, keys: string[], value: string): void {
  let at = root
  keys.slice(0, -1).forEach((key) => {
    const name = key === '' ? String(Object.keys(at).length) : key
    const inner = at[name]
    at = (typeof inner === 'object' && !Array.isArray(inner) ? inner : (at[name] = Object.create(null))) as FormObject
  })
  const last = keys.at(-1)!
  at[last === '' ? String(Object.keys(at).length) : last] = value
}

function listsFromNumberedKeys(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, listsFromNumberedKeys(inner)] as const)
  if (entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key))) return entries.map(([, inner]) => inner)
  return Object.fromEntries(entries)
}
