/** The list of a kind, or one of its records. */
export function consoleContentPath(kind: string, id?: string): string {
  return ['/console/content', kind, ...(id === undefined ? [] : [id])]
    .map((part, index) => (index === 0 ? part : encodeURIComponent(part)))
    .join('/')
}
