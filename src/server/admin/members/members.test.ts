import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig, type Config } from '../config/config.ts'
import { openDatabase } from '../db/open-database.ts'
import { findAccountByName } from '../features/account/account.repository.ts'
import { insertCredential } from '../features/membership/credential.repository.ts'
import { runCommand } from './commands.ts'
import { DANGEROUS_PREFIXES, readCsv, writeCsv } from '#server/platform/csv.ts'
import { MEMBER_COLUMNS } from '#contract/console-import.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
let folder = ''
let config: Config

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'association-members-'))
  // Nobody listens there: the samples do without subscriptions.
  config = readConfig({ DATA_DIR: folder, STANDINS_URL: 'http://127.0.0.1:9' })
  await run('migrate')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(...words: string[]): Promise<{ code: number; said: string }> {
  const lines: string[] = []
  const code = await runCommand(words, config, (line) => void lines.push(line))
  return { code, said: lines.join('\n') }
}

async function withDb<T>(work: (db: ReturnType<typeof openDatabase>['db']) => Promise<T>): Promise<T> {
  const { db, close } = openDatabase(config.databaseUrl, quiet)
  try {
    return await work(db)
  } finally {
    await close()
  }
}

function file(name: string, rows: string[][]): string {
  const path = join(folder, name)
  writeFileSync(path, writeCsv([[...MEMBER_COLUMNS], ...rows]))
  return path
}

const newcomer = ['new@example.com', 'newcomer', 'Nila', 'Rao', 'annual_member', '2026-01-15', '2027-01-15']

describe('list and show', () => {
  test('everybody with status and end, or those of one status', async () => {
    const all = await run('members', 'list')
    expect(all.said).toMatch(/ACTIVE {6}Raghuvanshi, Meera {2}<annual@example\.org> {2}annual_member {2}until /)
    expect(all.said).toMatch(/EXPIRED.*<lapsed@example\.org>/)
    const expired = await run('members', 'list', 'expired')
    expect(expired.said).toContain('lapsed@example.org')
    expect(expired.said).toMatch(/\n1 person\.$/)
  })

  test('one person with the whole history, by address, username or id', async () => {
    const { said } = await run('members', 'show', 'annual@example.org')
    expect(said).toContain('Meera Raghuvanshi <annual@example.org>, meera.r')
    expect(said).toMatch(/paid \$100 \(start, annual_member\), R-\d{4}-/)
    expect(said).toMatch(/paid \$100 \(renewal, annual_member\)/)
    expect((await run('members', 'show', 'MEERA.R')).said).toBe(said)
    expect(await run('members', 'show', 'nobody@example.org')).toEqual({
      code: 1,
      said: 'Nobody is known as nobody@example.org.',
    })
  })
})

describe('import', () => {
  test('a dry run gives each row its verdict and changes nothing', async () => {
    const path = file('dry.csv', [
      newcomer,
      ['annual@example.org', 'someone', 'A', 'B', 'annual_member', '2026-01-15', '2027-01-15'],
      ['x@example.com', 'meera.r', 'A', 'B', 'annual_member', '2026-01-15', '2027-01-15'],
      ['not an address', 'wrong', 'A', 'B', 'annual_member', '2026-01-15', '2027-01-15'],
      ['y@example.com', 'yyy', 'A', 'B', 'gold_member', '2026-01-15', '2027-01-15'],
      ['z@example.com', 'zzz', 'A', 'B', 'annual_member', '2026-02-30', '2027-01-15'],
      ['l@example.com', 'lll', 'A', 'B', 'life_member', '2026-01-15', '2027-01-15'],
      ['e@example.com', 'eee', 'A', 'B', 'annual_member', '2026-01-15', '2025-01-15'],
      ['NEW@example.com', 'again', 'A', 'B', 'annual_member', '2026-01-15', '2027-01-15'],
    ])
    const { code, said } = await run('members', 'import', path, '--dry-run')
    expect(code).toBe(1)
    expect(said.split('\n')).toEqual([
      'line 2  would be taken over: new@example.com, annual_member',
      'line 3  has an account already: annual@example.org',
      'line 4  username taken: x@example.com',
      'line 5  wrong: email: Please enter a valid email address. Write one address like name@example.org.',
      expect.stringMatching(/^line 6 {2}wrong: level: There is no level "gold_member"\. Write one of: .*annual_member/),
      expect.stringContaining('line 7  wrong: startedOn: This is not a day. Write the day as 2026-03-02'),
      expect.stringContaining('line 8  wrong: endsOn: A lifetime membership has no end.'),
      expect.stringContaining('line 9  wrong: endsOn: It ends before it starts (2026-01-15).'),
      expect.stringContaining('line 10  wrong: email: This address stands in the file twice: line 2 has it too.'),
      '1 to take over, 2 passed over, 6 wrong. Nothing was changed.',
    ])
    await withDb(async (db) => expect(await findAccountByName(db, 'new@example.com')).toBeNull())
  })

  test('takes over, says how to take it back, and taking back leaves who is in use', async () => {
    const path = file('real.csv', [
      newcomer,
      ['used@example.com', 'in.use', 'Usha', 'Rao', 'life_member', '2010-05-01', ''],
    ])
    const { code, said } = await run('members', 'import', path)
    expect(code).toBe(0)
    const batch = /members undo (\S+)"/.exec(said)?.[1] ?? ''
    expect((await run('members', 'show', 'used@example.com')).said).toContain('life_member, ACTIVE, since May 1, 2010')
    expect((await run('members', 'import', path)).said).toContain('0 taken over, 2 passed over, 0 wrong.')
    await withDb(async (db) => {
      const used = await findAccountByName(db, 'used@example.com')
      const licence = { kind: 'licence', npi: '1234567893', licenceState: 'GA', place: null, endsOn: null } as const
      await insertCredential(db, used?.id ?? '', licence, 1)
    })
    expect((await run('members', 'undo', batch)).said).toMatch(/1 taken back, 1 kept\.$/)
    await withDb(async (db) => {
      expect(await findAccountByName(db, 'new@example.com')).toBeNull()
      expect(await findAccountByName(db, 'used@example.com')).not.toBeNull()
    })
    expect((await run('members', 'undo', 'no-such-batch')).code).toBe(1)
  })

  test('a file without the columns, or that is none, is refused with a sentence', async () => {
    const path = join(folder, 'bad.csv')
    writeFileSync(path, 'email,username\n')
    expect(await run('members', 'import', path)).toEqual({
      code: 1,
      said: 'The file has no column First name, Last name, Level, Began on, Ends on.',
    })
    expect((await run('members', 'import', join(folder, 'missing.csv'))).code).toBe(1)
    expect((await run('members', 'import')).code).toBe(2)
  })
})

test('an export can be imported elsewhere: names that look like formulas come back as they were', async () => {
  const rows = DANGEROUS_PREFIXES.filter((prefix) => !/\s/.test(prefix)).map((prefix, index) => [
    `csv${index}@example.com`,
    `csv${index}`,
    `${prefix}HYPERLINK("x")`,
    `'${prefix}1+1`,
    'annual_member',
    '2026-01-15',
    '2027-01-15',
  ])
  const before = await run('members', 'import', file('formulas.csv', rows))
  expect(before.code).toBe(0)
  const path = join(folder, 'export.csv')
  expect((await run('members', 'export', path)).said).toContain('keep it safe')
  const exported = readCsv(readFileSync(path, 'utf8'))
  for (const row of rows) expect(exported.find(([email]) => email === row[0])?.slice(0, 7)).toEqual(row)
  const cells = readFileSync(path, 'utf8')
    .slice(1)
    .split(/,|\r\n/)
  expect(cells.filter((cell) => /^"[=+\-@|%＝＋＠\t\r\n]/.test(cell))).toEqual([])
})

describe('disable, enable and reset', () => {
  test('a disabled account is told apart, and comes back', async () => {
    expect((await run('members', 'disable', 'student@example.org')).said).toContain('cannot log in any more')
    expect((await run('members', 'list', 'disabled')).said).toContain('student@example.org')
    expect((await run('members', 'disable', 'student@example.org')).code).toBe(1)
    expect((await run('members', 'reset', 'student@example.org')).code).toBe(1)
    expect((await run('members', 'enable', 'student@example.org')).code).toBe(0)
    expect((await run('members', 'enable', 'student@example.org')).code).toBe(1)
    expect((await run('members', 'show', 'student@example.org')).said).toMatch(/account\.disabled by webmaster/)
  })

  test('a reset sends the usual letter', async () => {
    expect((await run('members', 'reset', 'student@example.org')).code).toBe(0)
    const queued = await withDb((db) => db.selectFrom('outbox').select(['kind', 'payload']).execute())
    expect(queued).toContainEqual({ kind: 'auth.forgot_password', payload: '{"email":"student@example.org"}' })
  })
})

describe('email, add and end', () => {
  const rest = ['Sita', 'Narayan', 'annual_member', '2026-01-15', '2027-01-15']
  const add = (email: string, ...words: string[]) => run('members', 'add', email, ...rest, ...words)

  test('one member is added, free or paid, and an invitation goes out when it is asked for', async () => {
    const added = await add('sita@example.com', '--check', '1042', '100', '2026-01-14', '--invite')
    expect(added.said).toMatch(/^Sita Narayan <sita@example\.com> was added as \w+\.\nAn email with a link/)
    const { said } = await run('members', 'show', 'sita@example.com')
    expect(said).toMatch(/Membership annual_member, .*until January 15, 2027/)
    expect(said).toContain('paid $100 (start, annual_member)')
    expect(said).toContain('member.added by webmaster')
    await withDb(async (db) => {
      const { payload } = await db
        .selectFrom('outbox')
        .select('payload')
        .where('kind', '=', 'letter.invitation')
        .executeTakeFirstOrThrow()
      expect(JSON.parse(payload)).toMatchObject({ as: 'added' })
    })
    const again = await add('sita@example.com', '--free', 'Honored')
    expect(again).toEqual({ code: 1, said: 'Sita Narayan has an account with this address.' })
    const namesake = await add('sita2@example.com', '--free', 'Honored')
    expect(namesake.said).toContain('This may be somebody who has an account: Sita Narayan, sita@example.com')
    expect((await add('sita2@example.com', '--free', 'Honored', '--another')).code).toBe(0)
    expect((await add('sita3@example.com')).code).toBe(2)
    expect((await add('no address', '--free', 'x')).said).toBe('Please enter a valid email address.')
  })

  test('a change of address waits for its confirmation, and is taken back', async () => {
    const asked = await run('members', 'email', 'sita@example.com', 'right@example.com', 'Typing error')
    expect(asked.said).toContain('An email to right@example.com asks for confirmation')
    expect((await run('members', 'show', 'sita@example.com')).said).toContain('email.change_asked by webmaster')
    expect((await run('members', 'withdraw-email', 'sita@example.com')).said).toBe(
      'Taken back. The address stays sita@example.com.',
    )
    expect((await run('members', 'withdraw-email', 'sita@example.com')).code).toBe(1)
    const taken = await run('members', 'email', 'sita@example.com', 'annual@example.org', 'x')
    expect(taken.said).toContain('Meera Raghuvanshi has an account with this address.')
    expect((await run('members', 'email', 'sita@example.com', 'no address', 'x')).code).toBe(1)
    expect((await run('members', 'email', 'sita@example.com')).code).toBe(2)
  })

  test('an account is ended once it was said what happens; a dry run only says it', async () => {
    const end = (...words: string[]) =>
      run('members', 'end', 'sita@example.com', 'deceased', 'Told by the family', ...words)
    const dry = await end('--dry-run')
    expect(dry.said).toMatch(/No email goes to sita@example\.com, not even about this\.\nNothing was changed\.$/)
    expect((await end()).said).toMatch(/The account was ended\.$/)
    await withDb(async (db) => {
      const ended = await db.selectFrom('account_end').select(['ending', 'ended_by']).execute()
      expect(ended).toEqual([{ ending: 'deceased', ended_by: 'webmaster' }])
    })
    expect((await run('members', 'end', 'annual@example.org', 'bored', 'x')).code).toBe(2)
    expect((await end()).said).toBe('Nobody is known as sita@example.com.')
  })
})

describe('credentials', () => {
  test('wait, and are decided by an officer on evidence', async () => {
    expect((await run('members', 'review')).said).toMatch(/NPI 1234567893 {2}GA {2}Usha Rao/)
    const approve = (officer: string, evidence: string) =>
      run('members', 'approve', 'used@example.com', officer, evidence)
    expect((await approve('annual@example.org', 'seen')).said).toBe(
      'annual@example.org holds no role that decides about credentials today.',
    )
    expect((await approve('officer@example.org', ' ')).code).toBe(2)
    expect((await approve('officer@example.org', 'NPPES looked up')).code).toBe(0)
    expect((await approve('officer@example.org', 'again')).said).toBe('It was decided before.')
    expect((await run('members', 'show', 'used@example.com')).said).toMatch(
      /credentials\.approved by .*NPPES looked up/,
    )
    expect((await run('members', 'review')).said).toBe('Nobody waits.')
    expect((await run('members', 'decline', 'life@example.org', 'officer@example.org', 'x')).said).toContain(
      'no credentials',
    )
  })
})

describe('payments, reminders and notices of the provider', () => {
  test('dues of a month', async () => {
    expect((await run('payments')).said).toMatch(
      /R-\d{4}-\S+ {2}renewal {2}annual_member {2}\$100 {2}annual@example\.org/,
    )
    expect((await run('payments', '1999-01')).said).toBe('Nothing was paid in 1999-01.')
    expect((await run('payments', 'May')).code).toBe(2)
  })

  test('who would be written to, without writing', async () => {
    const { code, said } = await run('reminders', '--dry-run', '330')
    expect(code).toBe(0)
    expect(said).toMatch(/term_45 .*annual_member {2}annual@example\.org/)
    expect(said).toContain('Nothing was sent.')
    expect(await withDb((db) => db.selectFrom('membership_notice').selectAll().execute())).toEqual([])
    expect((await run('reminders')).code).toBe(2)
  })

  test('a notice that is kept is handled again', async () => {
    expect((await run('stripe', 'replay')).said).toBe('No notice is kept.')
    expect((await run('stripe', 'replay', 'evt_none')).code).toBe(1)
    await withDb((db) =>
      db
        .insertInto('stripe_event')
        .values({ id: 'evt_1', type: 'invoice.paid', object_id: 'sub_1', created_at: 1, received_at: 1, done_at: 2 })
        .execute(),
    )
    expect((await run('stripe', 'replay')).said).toContain('evt_1')
    expect((await run('stripe', 'replay', 'evt_1')).code).toBe(0)
    const queued = await withDb((db) => db.selectFrom('outbox').select(['kind', 'payload']).execute())
    expect(queued).toContainEqual({ kind: 'stripe.subscription', payload: '{"eventId":"evt_1","objectId":"sub_1"}' })
    expect((await run('stripe')).code).toBe(2)
  })
})

test('what is not understood says what there is', async () => {
  expect(await run('members', 'dance')).toMatchObject({ code: 2, said: expect.stringContaining('review') as string })
})
