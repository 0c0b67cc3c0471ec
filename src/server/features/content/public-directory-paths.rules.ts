import type { Settings } from '#server/features/content-store/settings.schema.ts'

/** The path of the public listing of members, as in `src/web/app/paths.ts`. */
export const PUBLIC_DIRECTORY = '/find-a-member'

/** The paths for the sitemap: the listing is in it while it shows someone. */
export function withPublicDirectory(paths: ReadonlySet<string>, isAnyoneListed: boolean): ReadonlySet<string> {
  return isAnyoneListed ? new Set([...paths, PUBLIC_DIRECTORY]) : paths
}

/** With the second address of the listing, such as /find-a-member. */
export function withSecondAddress(
  paths: ReadonlyMap<string, string>,
  { isOn, slug }: Pick<Settings['publicDirectory'], 'isOn' | 'slug'>,
): ReadonlyMap<string, string> {
  return isOn && slug !== '' ? new Map([...paths, [`/${slug}`, PUBLIC_DIRECTORY]]) : paths
}
