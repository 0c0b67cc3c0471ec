/** A picture named in words: whole, or by one of its sizes. What a sentence says after it is no part of its name. */
function mentionsOf(address: string): RegExp {
  const at = address.lastIndexOf('/') + 1
  const [folder, file] = [address.slice(0, at), address.slice(at)].map((text) => RegExp.escape(text))
  return new RegExp(
    `${folder}(?:${file}(?![\\w%~-]|\\.\\w)|_sizes/${file}\\.(?:mail\\.jpg|\\d+\\.(?:avif|webp)))(?:\\?v=[\\w-]*)?`,
    'g',
  )
}

/** Whether something names the picture of this address. */
export function namesPicture(text: string, address: string): boolean {
  return text.includes(address.slice(address.lastIndexOf('/') + 1)) && mentionsOf(address).test(text)
}

/** The same value with another picture wherever it named this one. */
export function withPicture<T>(value: T, from: string, to: string): T {
  return changeTexts(value, (text) => text.replaceAll(mentionsOf(from), () => to))
}

/**
 * The same value with each picture at the address of its present version, so that no browser shows what it remembers of a picture that was cropped.
 * @param versions by address
 */
export function withVersions<T>(value: T, versions: ReadonlyMap<string, string>): T {
  const [first] = versions.keys()
  if (first === undefined) return value
  const folder = RegExp.escape(first.slice(0, first.lastIndexOf('/') + 1))
  const addresses = new RegExp(`${folder}[^\\s"'?#<>()]+(?![^\\s"'#<>()])`, 'g')
  return changeTexts(value, (text) => text.replaceAll(addresses, (address) => versions.get(address) ?? address))
}

function changeTexts<T>(value: T, change: (text: string) => string): T
function changeTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one: unknown) => changeTexts(one, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, changeTexts(one as unknown, change)]))
}
