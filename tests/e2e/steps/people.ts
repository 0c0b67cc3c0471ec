export interface Person {
  email: string
  username: string
  firstName: string
  lastName: string
  password: string
}

/** The invented members of an empty database. */
export const SAMPLE_PASSWORD = 'Peachtree-1987'

let people = 0

/** Somebody the site has never heard of, in this run or in one before. */
export function newPerson(given: Partial<Person> = {}): Person {
  people += 1
  const unique = `${Date.now().toString(36)}${process.pid.toString(36)}${people}`
  return {
    email: `ana.${unique}@example.org`,
    username: `ana.${unique}`,
    firstName: 'Ana',
    lastName: 'Rao',
    password: 'Tamarind-and-2-Peaches',
    ...given,
  }
}
