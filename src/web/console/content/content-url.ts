/** The path of a content list or record. */
export function consoleContentUrl(kind: string, id?: string): string {
  return ['/console/content', kind, ...(id === undefined ? [] : [id])]
    .map((part, index) => (index === 0 ? part : encodeURIComponent(part)))
    .join('/')
}
