/** Matches the URL of a picture or of one of its sizes in a text, without punctuation that follows it. */
function mentionsOf(address: string): RegExp {
  const at = address.lastIndexOf('/') + 1
  const [folder, file] = [address.slice(0, at), address.slice(at)].map((text) => RegExp.escape(text))
  return new RegExp(
    `${folder}(?:${file}(?![\\w%~-]|\\.\\w)|_sizes/${file}\\.(?:mail\\.jpg|\\d+\\.(?:avif|webp)))(?:\\?v=[\\w-]*)?`,
    'g',
  )
}

/** Whether the text contains a URL of this picture. */
export function containsPicture(text: string, address: string): boolean {
  return text.includes(address.slice(address.lastIndexOf('/') + 1)) && mentionsOf(address).test(text)
}

/** Returns a copy of the value with one picture replaced by another. */
export function replacePictureUrls<T>(value: T, from: string, to: string): T {
  return changeTexts(value, (text) => text.replaceAll(mentionsOf(from), () => to))
}

/**
 * Returns a copy of the value with the versioned URL of each picture, so that browsers do not show a cached image from before a crop.
 * @param versions the versioned URLs by address
 */
export function withVersionedUrls<T>(value: T, versions: ReadonlyMap<string, string>): T {
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
