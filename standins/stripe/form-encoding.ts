export type FormValue = string | FormValue[] | { [key: string]: FormValue }
export type FormObject = { [key: string]: FormValue }

/** `a[b][0][c]=1&d[]=2` as nested objects and lists, the way Stripe reads its form bodies and queries. */
export function parseForm(text: string): FormObject {
  const root: FormObject = Object.create(null) as FormObject
  for (const [name, value] of new URLSearchParams(text)) place(root, keysOf(name), value)
  return listsFromNumberedKeys(root) as FormObject
}

function keysOf(name: string): string[] {
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

function place(root: FormObject, keys: string[], value: string): void {
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
