/** What the status of an export says against importing its row, and how to go on. */
export interface StatusFault {
  sentence: string
  cure: string
}

const CURE = 'Remove the line. To import this person anyway, empty the cell, or do not import the column of the status.'

/**
 * Reads the status of a row. Active members, and lapsed ones whose term is over, have none against them: their last day says it.
 * @param texts the cell of each column with a status; for a column such as Archived, whose cells say yes, its heading
 * @param endsOn the last day, `YYYY-MM-DD`; empty for a lifetime membership
 */
export function statusFault(texts: readonly string[], endsOn: string, today: string): StatusFault | null {
  const status = texts.find((text) => text !== '' && kindOf(text) !== 'fine')
  if (status === undefined) return null
  const kind = kindOf(status)
  if (kind === 'died') return { sentence: 'The file says that this person died.', cure: CURE }
  if (kind === 'removed') return { sentence: `This person is "${status}" in the other system.`, cure: CURE }
  if (kind === 'waiting') return { sentence: `This person is not a member yet: "${status}".`, cure: CURE }
  if (endsOn !== '' && endsOn <= today) return null
  const until = endsOn === '' ? 'the row has no last day' : `the last day, ${endsOn}, is still to come`
  return {
    sentence: `The status is "${status}", but ${until}.`,
    cure: 'Enter the day on which the membership ended as the last day, or leave the status empty.',
  }
}

function kindOf(status: string): 'fine' | 'died' | 'removed' | 'waiting' | 'ended' {
  const text = status.toLowerCase()
  if (/decease|died/.test(text)) return 'died'
  if (/archiv|trash|suspend|deleted|declin|denied|reject|failed|refunded/.test(text)) return 'removed'
  // "Pending - Renewal" and "Pending - Level change" are members.
  if (/pending|applica|prospect|incomplete|awaiting|non-?member/.test(text) && !/renew|change|upgrade/.test(text))
    return 'waiting'
  return /laps|expir|cancel|inactive|terminat|resign|former/.test(text) ? 'ended' : 'fine'
}

/** The text of a cell with a status: a cell that says yes has the heading of its column, and one that says no has none. */
export function statusText(heading: string, cell: string): string {
  const text = cell.trim()
  if (/^(?:yes|true|1|y)$/i.test(text)) return heading
  return /^(?:no|false|0|n)$/i.test(text) ? '' : text
}
