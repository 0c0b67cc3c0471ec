import { expectStatus, newPerson, type Person } from '#tests/trust/people.ts'
import { publish, type Officers } from './officer-actions.ts'
import type { Member, TwoInstances } from './two-instances.ts'

const FIELD = {
  key: 'pager',
  label: 'Pager',
  kind: 'line',
  levels: ['resident_fellow'],
  asked: 'joining',
  widest: 'officers',
}
const REFUSED = 'record.pager'

/** A field for one level, made at one instance: asked and required at the other, of this level alone. */
export async function checkFields(two: TwoInstances, { president }: Officers): Promise<void> {
  const resident = await two.join({ levelKey: 'resident_fellow' })
  const student = await two.join()
  const add = (isRequired: boolean) =>
    publish(president.visitor, 'record-fields', (value) => ({
      ...value,
      fields: [
        ...(value['fields'] as { key: string }[]).filter(({ key }) => key !== FIELD.key),
        { ...FIELD, isRequired },
      ],
    }))
  await add(true)
  await two.soon('a field for residents', () => isAsked(two, resident))
  two.faults.expect(!(await isAsked(two, student)), 'a field for residents is asked of a student')
  const without = await register(two, { levelKey: 'resident_fellow' })
  two.faults.expect(
    without.status === 400 && REFUSED in (without.body.errors ?? {}),
    'a resident registered without a required field',
    String(without.status),
  )
  const given = await register(two, { levelKey: 'resident_fellow', record: { pager: '12' } })
  two.faults.expect(given.status === 201, 'a resident with the field', given.text)
  const other = await register(two, {})
  two.faults.expect(other.status === 201, 'a student without the field', other.text)
  await add(false)
  await two.soon('a field that is no longer required', async () => {
    const { status } = await register(two, { levelKey: 'resident_fellow' })
    return status === 201
  })
}

async function isAsked(two: TwoInstances, { visitor }: Member): Promise<boolean> {
  const { fields } = expectStatus(await two.at(two.second, visitor).get('/api/account/record'), 200, 'record').body
  return (fields as { key: string }[]).some(({ key }) => key === FIELD.key)
}

/** Registers at the second instance. */
function register(two: TwoInstances, given: Partial<Person> & { record?: Record<string, unknown> }) {
  const person = { ...newPerson({ levelKey: 'medical_student' }), ...given }
  return two.visitor(two.second).register(person)
}
