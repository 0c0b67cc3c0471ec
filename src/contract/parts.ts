/** Parts of the public site that an association may do without. Officers switch them under Settings; the content of a part that is off stays. */
export const PARTS = ['events', 'newsletter', 'sponsors', 'clinic', 'forum', 'scholarships'] as const
export type Part = (typeof PARTS)[number]

/**
 * The pages of a part. What ends something that began while the part was on stays open: confirming or leaving the newsletter, returning from a payment, a
 * guest's own RSVP.
 */
const PAGES: Record<Part, readonly RegExp[]> = {
  events: [/^\/events(\/|\.|$)/],
  newsletter: [/^\/newsletter(\.rss)?$/, /^\/newsletter\/subscribe$/],
  sponsors: [/^\/sponsor-us$/],
  clinic: [/^\/clinic$/],
  forum: [/^\/students-residents$/],
  scholarships: [/^\/scholarships-awards$/],
}

/** Whether a path, with or without query and fragment, leads to a part that is off. */
export function isOff(path: string, partsOff: readonly Part[] = []): boolean {
  const [page = ''] = path.split(/[?#]/)
  return partsOff.some((part) => PAGES[part].some((pattern) => pattern.test(page)))
}
