/** The address of an icon, of the share card or of a border: with the version of the brand, so that browsers show none of an earlier one. */
export function brandedUrl(path: string, version: string | undefined): string {
  return version === undefined ? path : `${path}?v=${version}`
}
