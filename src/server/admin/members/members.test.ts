import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig, type Config } from '#server/config/config.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { findAccountByLogin } from '#server/features/accounts/account.queries.ts'
import { insertCredential } from '#server/features/credentials/credential.commands.ts'
import { runCommand } from '../commands.ts'
import { DANGEROUS_PREFIXES, readCsv, writeCsv } from '#server/lib/csv/csv.ts'
import { MEMBER_COLUMNS } from '#contract/console/import.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
let folder = ''
let config: Config

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'association-members-'))
  // No stand-ins are running: the samples have no subscriptions.
  config = readConfig({ DATA_DIR: folder, STANDINS_URL: 'http://127.0.0.1:9', SAMPLES: 'few' })
  await run('migrate')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(...args: string[]): Promise<{ code: number; output: string }> {
  const lines: string[] = []
  const code = await runCommand(args, config, (line) => void lines.push(line))
  return { code, output: lines.join('\n') }
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
  test('all members with status and end, or those of one status', async () => {
    const all = await run('members', 'list')
    expect(all.output).toMatch(/ACTIVE {6}Raghuvanshi, Meera {2}<annual@example\.org> {2}annual_member {2}until /)
    expect(all.output).toMatch(/EXPIRED.*<lapsed@example\.org>/)
    const expired = await run('members', 'list', 'expired')
    expect(expired.output).toContain('lapsed@example.org')
    expect(expired.output).toMatch(/\n1 person\.$/)
  })

  test('one member with the full history, by address, username or id', async () => {
    const { output } = await run('members', 'show', 'annual@example.org')
    expect(output).toContain('Meera Raghuvanshi <annual@example.org>, meera.r')
    expect(output).toMatch(/paid \$100 \(start, annual_member\), R-\d{4}-/)
    expect(output).toMatch(/paid \$100 \(renewal, annual_member\)/)
    expect((await run('members', 'show', 'MEERA.R')).output).toBe(output)
    expect(await run('members', 'show', 'nobody@example.org')).toEqual({
      code: 1,
      output: 'There is no member nobody@example.org.',
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
    const { code, output } = await run('members', 'import', path, '--dry-run')
    expect(code).toBe(1)
    expect(output.split('\n')).toEqual([
      'line 2  would be imported: new@example.com, annual_member',
      'line 3  already has an account: annual@example.org',
      'line 4  username taken: x@example.com',
      'line 5  invalid: email: Please enter a valid email address. Enter one address like name@example.org.',
      expect.stringMatching(/^line 6 {2}invalid: level: There is no level "gold_member"\. Use one of: .*annual_member/),
      expect.stringContaining('line 7  invalid: startedOn: This is not a date. Enter the date as 2026-03-02'),
      expect.stringContaining('line 8  invalid: endsOn: A lifetime membership has no end date.'),
      expect.stringContaining('line 9  invalid: endsOn: It ends before it starts (2026-01-15).'),
      expect.stringContaining('line 10  invalid: email: This address is in the file twice: line 2 has it too.'),
      '1 to import, 2 skipped, 6 invalid. Nothing was changed.',
    ])
    await withDb(async (db) => expect(await findAccountByLogin(db, 'new@example.com')).toBeNull())
  })

  test('imports, prints how to undo, and the undo keeps accounts in use', async () => {
    const path = file('real.csv', [
      newcomer,
      ['used@example.com', 'in.use', 'Usha', 'Rao', 'life_member', '2010-05-01', ''],
    ])
    const { code, output } = await run('members', 'import', path)
    expect(code).toBe(0)
    const batch = /members undo (\S+)"/.exec(output)?.[1] ?? ''
    expect((await run('members', 'show', 'used@example.com')).output).toContain(
      'life_member, ACTIVE, since May 1, 2010',
    )
    expect((await run('members', 'import', path)).output).toContain('0 imported, 2 skipped, 0 invalid.')
    await withDb(async (db) => {
      const used = await findAccountByLogin(db, 'used@example.com')
      const licence = { kind: 'licence', npi: '1234567893', licenceState: 'GA', place: null, endsOn: null } as const
      await insertCredential(db, used?.id ?? '', licence, 1)
    })
    expect((await run('members', 'undo', batch)).output).toMatch(/1 removed, 1 kept\.$/)
    await withDb(async (db) => {
      expect(await findAccountByLogin(db, 'new@example.com')).toBeNull()
      expect(await findAccountByLogin(db, 'used@example.com')).not.toBeNull()
    })
    expect((await run('members', 'undo', 'no-such-batch')).code).toBe(1)
  })

  test('a file with missing columns, or that is not CSV, is refused with a message', async () => {
    const path = join(folder, 'bad.csv')
    writeFileSync(path, 'email,username\n')
    expect(await run('members', 'import', path)).toEqual({
      code: 1,
      output: 'The file has no column First name, Last name, Level, Began on, Ends on.',
    })
    expect((await run('members', 'import', join(folder, 'missing.csv'))).code).toBe(1)
    expect((await run('members', 'import')).code).toBe(2)
  })
})

test('an export can be imported elsewhere: names that look like formulas are unchanged', async () => {
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
  expect((await run('members', 'export', path)).output).toContain('keep it safe')
  const exported = readCsv(readFileSync(path, 'utf8'))
  for (const row of rows) expect(exported.find(([email]) => email === row[0])?.slice(0, 7)).toEqual(row)
  const cells = readFileSync(path, 'utf8')
    .slice(1)
    .split(/,|\r\n/)
  expect(cells.filter((cell) => /^"[=+\-@|%＝＋＠\t\r\n]/.test(cell))).toEqual([])
})

describe('disable, enable and reset', () => {
  test('a disabled account is listed as such, and can be enabled again', async () => {
    expect((await run('members', 'disable', 'student@example.org')).output).toContain('can no longer log in')
    expect((await run('members', 'list', 'disabled')).output).toContain('student@example.org')
    expect((await run('members', 'disable', 'student@example.org')).code).toBe(1)
    expect((await run('members', 'reset', 'student@example.org')).code).toBe(1)
    expect((await run('members', 'enable', 'student@example.org')).code).toBe(0)
    expect((await run('members', 'enable', 'student@example.org')).code).toBe(1)
    expect((await run('members', 'show', 'student@example.org')).output).toMatch(/account\.disabled by webmaster/)
  })

  test('a reset sends the usual email', async () => {
    expect((await run('members', 'reset', 'student@example.org')).code).toBe(0)
    const queued = await withDb((db) => db.selectFrom('outbox').select(['kind', 'payload']).execute())
    expect(queued).toContainEqual({ kind: 'auth.forgot_password', payload: '{"email":"student@example.org"}' })
  })
})

describe('email, add and end', () => {
  const rest = ['Sita', 'Narayan', 'annual_member', '2026-01-15', '2027-01-15']
  const add = (email: string, ...args: string[]) => run('members', 'add', email, ...rest, ...args)

  test('a member is added, free or paid, and invited on request', async () => {
    const added = await add('sita@example.com', '--check', '1042', '100', '2026-01-14', '--invite')
    expect(added.output).toMatch(
      /^Sita Narayan <sita@example\.com> was added as \w+\.\nThey will receive an email with a link/,
    )
    const { output } = await run('members', 'show', 'sita@example.com')
    expect(output).toMatch(/Membership annual_member, .*until January 15, 2027/)
    expect(output).toContain('paid $100 (start, annual_member)')
    expect(output).toContain('member.added by webmaster')
    await withDb(async (db) => {
      const { payload } = await db
        .selectFrom('outbox')
        .select('payload')
        .where('kind', '=', 'email.invitation')
        .executeTakeFirstOrThrow()
      expect(JSON.parse(payload)).toMatchObject({ as: 'added' })
    })
    const again = await add('sita@example.com', '--free', 'Honored')
    expect(again).toEqual({ code: 1, output: 'Sita Narayan has an account with this address.' })
    const namesake = await add('sita2@example.com', '--free', 'Honored')
    expect(namesake.output).toContain('This may be someone who already has an account: Sita Narayan, sita@example.com')
    expect((await add('sita2@example.com', '--free', 'Honored', '--another')).code).toBe(0)
    expect((await add('sita3@example.com')).code).toBe(2)
    expect((await add('no address', '--free', 'x')).output).toBe('Please enter a valid email address.')
  })

  test('a change of address waits for confirmation, and can be canceled', async () => {
    const requested = await run('members', 'email', 'sita@example.com', 'right@example.com', 'Typing error')
    expect(requested.output).toContain('An email to right@example.com asks for confirmation')
    expect((await run('members', 'show', 'sita@example.com')).output).toContain('email.change_asked by webmaster')
    expect((await run('members', 'withdraw-email', 'sita@example.com')).output).toBe(
      'Canceled. The address is still sita@example.com.',
    )
    expect((await run('members', 'withdraw-email', 'sita@example.com')).code).toBe(1)
    const taken = await run('members', 'email', 'sita@example.com', 'annual@example.org', 'x')
    expect(taken.output).toContain('Meera Raghuvanshi has an account with this address.')
    expect((await run('members', 'email', 'sita@example.com', 'no address', 'x')).code).toBe(1)
    expect((await run('members', 'email', 'sita@example.com')).code).toBe(2)
  })

  test('an account is ended after the consequences are listed; a dry run only lists them', async () => {
    const end = (...args: string[]) =>
      run('members', 'end', 'sita@example.com', 'deceased', 'Told by the family', ...args)
    const dry = await end('--dry-run')
    expect(dry.output).toMatch(/No email goes to sita@example\.com, not even about this\.\nNothing was changed\.$/)
    expect((await end()).output).toMatch(/The account was ended\.$/)
    await withDb(async (db) => {
      const ended = await db.selectFrom('accountEnd').select(['ending', 'endedBy']).execute()
      expect(ended).toEqual([{ ending: 'deceased', endedBy: 'webmaster' }])
    })
    expect((await run('members', 'end', 'annual@example.org', 'bored', 'x')).code).toBe(2)
    expect((await end()).output).toBe('There is no member sita@example.com.')
  })
})

describe('credentials', () => {
  test('wait for review, and are decided by an officer on evidence', async () => {
    expect((await run('members', 'review')).output).toMatch(/NPI 1234567893 {2}GA {2}Usha Rao/)
    const approve = (officer: string, evidence: string) =>
      run('members', 'approve', 'used@example.com', officer, evidence)
    expect((await approve('annual@example.org', 'seen')).output).toBe(
      'annual@example.org currently has no role that decides about credentials.',
    )
    expect((await approve('officer@example.org', ' ')).code).toBe(2)
    expect((await approve('officer@example.org', 'NPPES looked up')).code).toBe(0)
    expect((await approve('officer@example.org', 'again')).output).toBe('It was already decided.')
    expect((await run('members', 'show', 'used@example.com')).output).toMatch(
      /credentials\.approved by .*NPPES looked up/,
    )
    expect((await run('members', 'review')).output).toBe('No credentials to review.')
    expect((await run('members', 'decline', 'life@example.org', 'officer@example.org', 'x')).output).toContain(
      'has not submitted credentials',
    )
  })
})

describe('payments, reminders and webhook events', () => {
  test('dues of a month', async () => {
    expect((await run('payments')).output).toMatch(
      /R-\d{4}-\S+ {2}renewal {2}annual_member {2}\$100 {2}annual@example\.org/,
    )
    expect((await run('payments', '1999-01')).output).toBe('No payments in 1999-01.')
    expect((await run('payments', 'May')).code).toBe(2)
  })

  test('lists reminders without sending them', async () => {
    const { code, output } = await run('reminders', '--dry-run', '330')
    expect(code).toBe(0)
    expect(output).toMatch(/term_45 .*annual_member {2}annual@example\.org/)
    expect(output).toContain('Nothing was sent.')
    expect(await withDb((db) => db.selectFrom('membershipReminder').selectAll().execute())).toEqual([])
    expect((await run('reminders')).code).toBe(2)
  })

  test('a stored webhook event is processed again', async () => {
    expect((await run('stripe', 'replay')).output).toBe('There are no stored webhook events.')
    expect((await run('stripe', 'replay', 'evt_none')).code).toBe(1)
    await withDb((db) =>
      db
        .insertInto('stripeEvent')
        .values({ id: 'evt_1', type: 'invoice.paid', objectId: 'sub_1', createdAt: 1, receivedAt: 1, doneAt: 2 })
        .execute(),
    )
    expect((await run('stripe', 'replay')).output).toContain('evt_1')
    expect((await run('stripe', 'replay', 'evt_1')).code).toBe(0)
    const queued = await withDb((db) => db.selectFrom('outbox').select(['kind', 'payload']).execute())
    expect(queued).toContainEqual({ kind: 'stripe.subscription', payload: '{"eventId":"evt_1","objectId":"sub_1"}' })
    expect((await run('stripe')).code).toBe(2)
  })
})

test('invalid usage prints the possible subcommands', async () => {
  expect(await run('members', 'dance')).toMatchObject({ code: 2, output: expect.stringContaining('review') as string })
})
