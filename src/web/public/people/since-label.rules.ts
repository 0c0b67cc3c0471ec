import type { BodyKey } from '#contract/public/association.ts'
import { menuLabel } from '#contract/menu.ts'

const SINCE_LABELS: Record<BodyKey, string> = {
  'executive-committee': 'Officer since',
  'board-directors': 'Director since',
  'board-trustees': 'Trustee since',
}

/**
 * What stands before the year in which a person joined a body. Its people are directors or trustees only as long as the body has its usual name.
 * @param label what the association calls it; undefined if it is not in the menu
 */
export function sinceLabel(body: BodyKey, label: string | undefined): string {
  const isRenamed = label !== undefined && label !== menuLabel(`/${body}`, [])
  return isRenamed ? 'Serving since' : SINCE_LABELS[body]
}
