export interface Person {
  email: string
  username: string
  firstName: string
  lastName: string
  password: string
}

/** The sample members of an empty database. */
export const SAMPLE_PASSWORD = 'Peachtree-1987'

let people = 0

/** A person unknown to the site, in this run and in earlier ones. */
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
