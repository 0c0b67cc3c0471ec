import { addDays } from '#contract/dates/days.ts'

/** The association's year that contains a day. @param beginsOn month and day, such as '07-01' */
export function yearAround(today: string, beginsOn: string): { startsOn: string; endsOn: string } {
  const thisYear = Number(today.slice(0, 4))
  const first = `${thisYear}-${beginsOn}` <= today ? thisYear : thisYear - 1
  return { startsOn: `${first}-${beginsOn}`, endsOn: addDays(`${first + 1}-${beginsOn}`, -1) }
}
