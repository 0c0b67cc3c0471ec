import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listFiles, ROOT } from './modules.ts'

/** Words of one association or profession. They belong to content/profiles, from where officers change them (decision records 59 and 60). */
const PROFILE_WORD =
  /georgia|norcross|atlanta|peachtree|physician|clinic|medical|medicine|doctor|hospital|\bpatients?\b|\bindian\b|\b1987\b|\b587\b|\b815\b|npi(?![a-z])|nppes|America\/New_York/i

/** Where such a word stands all the same. `only` limits the exception to what it matches. */
const EXCEPTIONS: { files: RegExp; only?: RegExp; reason: string }[] = [
  {
    files: /^src\/server\/db\/migrations\//,
    reason: 'History: every installed database has run them.',
  },
  {
    files: /^src\/server\/features\/auth\/common-passwords\.rules\.ts$/,
    reason: 'Passwords that people choose, wherever they are.',
  },
  {
    files: /brand-css\.ts$|brand-preview\.tsx$|emails\/email\.ts$|failure-page\.ts$|(?:fonts|tokens)\.css$/,
    only: /Georgia(?= ?,|'\)| ?;)/,
    reason: 'The typeface in lists of fonts.',
  },
  {
    files: /^src\/server\/config\/profiles\.ts$|\/setup\/first-steps(?:\.rules)?\.ts$/,
    only: /'physicians(?:-georgia)?'|physicians: 'Physicians'/,
    reason: 'Names of starter profiles.',
  },
  {
    files: /./,
    only: /\bnpi\b|'licenceState'/,
    reason: 'The column and the field of the API that hold the number of credentials of any kind (decision record 60).',
  },
  {
    files:
      /^src\/contract\/(?:npi|messages|errors)\.ts$|^src\/contract\/(?:public|console)\/(?:credentials|account-data)\.ts$|^src\/contract\/credentials\/|\/credential-kinds\.kinds\.ts$|\/features\/(?:credentials|member-admin\/merge)\/|^src\/web\/console\/members\/credentials\/|\/membership-schema\.ts$|^src\/server\/config\/(?:config|demo-checks)\.ts$/,
    only: /\b\w*NPI\w*|\w*Npi\b|npi\w*/,
    reason:
      'The check of the American NPI, one of the checks that a kind of credentials may choose; no other kind shows its words.',
  },
  {
    files: /^src\/server\/features\/seed\/sample/,
    reason: 'The people of the sample association, the only profile with samples; production never loads them.',
  },
  {
    files:
      /^src\/(?:web\/(?:public|styles\/public)\/clinic|contract\/public\/clinic|server\/features\/content-store\/kinds\/clinic)/,
    reason: 'The page of the part “clinic”, which is off unless an association runs one.',
  },
  {
    files: /./,
    only: /(?<=paths\.)clinic\b|clinic(?=[:'./(](?:hero)?)|(?<=\^\\\/)clinic\$|\w*[cC]linic(?:Translations?|Languages?|LanguageKind|Times|Page)\w*|'Free clinic'|'Clinic'|\bclinic\b(?= ?[,}]|: z\.|\.mapLink|\.place)|(?<=settings\.)clinic\b|S3_BUCKET_CLINIC|\.clinic\b/,
    reason: 'The key, path, label and picture folder of the part “clinic”; officers name its page.',
  },
  {
    files: /sponsor-thanks\.tsx$|contact-form\.tsx$|media-folders\.rules\.ts$|admin\/commands\.ts$/,
    only: /See the clinic|The clinic|the clinic page|clinic \(hero\)/,
    reason: 'Shown where the part “clinic” is on, and the names of its pictures.',
  },
  {
    files: /listing-data\.rules\.ts$/,
    only: /\w*(?:MEDICAL|medicalSpecialty|Medical|Physician|Hospital)\w*/,
    reason: 'Names of schema.org; officers choose the type of their listing.',
  },
  {
    files: /stand-in\.rules\.ts$/,
    only: /portrait-physician/,
    reason: 'Names of drawings, which no one reads.',
  },
  {
    files: /settings\.schema\.ts$|sample-values\.ts$/,
    only: /America\/New_York/,
    reason:
      'The time zone of databases from before it was a setting, which are all of one association, and of samples of emails.',
  },
]

const files = listFiles(/^src\/.*\.(?:tsx?|css|json|ya?ml|md)$/).filter((file) => !/\.test\.tsx?$/.test(file))

/** What is left of a line when all exceptions of its file are taken out; empty if the whole file is one. */
function withoutExceptions(file: string, line: string): string {
  return EXCEPTIONS.filter((one) => one.files.test(file)).reduce(
    (rest, { only }) => (only ? rest.replaceAll(new RegExp(only, 'g'), '') : ''),
    line,
  )
}

const found = (file: string, text: string) =>
  text.split('\n').filter((line) => PROFILE_WORD.test(line) && PROFILE_WORD.test(withoutExceptions(file, line)))

test('no word of one association or profession is in the code', () => {
  expect(files.length).toBeGreaterThan(1000)
  const lines = files.flatMap((file) =>
    found(file, readFileSync(join(ROOT, file), 'utf8')).map((line) => `${file}: ${line.trim()}`),
  )
  expect(lines).toEqual([])
})

test('every exception is needed', () => {
  const texts = files.map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }))
  const unneeded = EXCEPTIONS.filter(
    ({ files: where, only }) =>
      !texts.some(({ file, text }) => where.test(file) && PROFILE_WORD.test(text) && (!only || only.test(text))),
  )
  expect(unneeded.map(({ reason }) => reason)).toEqual([])
})

test.each([
  ['a sentence', "lead: 'Membership is open to physicians.'"],
  ['a zone', "const zone = 'America/New_York'"],
  ['a year', 'min={1987}'],
  ['a label', 'label="NPI number"'],
  ['a place', "city: 'Norcross, Georgia'"],
])('a planted word is found: %s', (_what, line) => {
  expect(found('src/web/public/home/home.tsx', line)).toEqual([line])
})
