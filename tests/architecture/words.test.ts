import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listFiles, ROOT } from './modules.ts'

/** A word that is not written here, in identifiers, comments and texts, and what is written instead (docs/glossary.md). */
const DENIED: [word: RegExp, instead: string][] = [
  [/\bwho(?:m|se)?ever\b/i, 'name the person: the member, the officer, the caller'],
  [/\b(?:some|any|every|no)body\b/i, 'name the person, or someone, anyone, everyone, no one'],
  [/\banew\b/i, 'again; retry'],
  [/\bwhat became of\b/i, 'the result; the state'],
  [/\b(?:is|are|was|were) told\b/i, 'is notified; reads; receives an email'],
  [/\brings\b/i, 'sends an alert'],
  [/\bheed(?:s|ed|ing)?\b/i, 'handles; applies'],
  [/\bletters?\b/i, 'email'],
  [/\bdoors?\b/i, 'authorization; check-in'],
  [/\bsheets?\b/i, 'card'],
  [/\bstandings?\b/i, 'status; state'],
  [/\bsettle(?:s|d|ments?)?\b/i, 'completes an order; completion'],
  [/\b(?:take|takes|taking|took|taken) off\b/i, 'unsubscribes; removes'],
  [/\b(?:call|calls|calling|called) off\b/i, 'cancels'],
  [/\b(?:give|gives|giving|gave|given) back\b/i, 'refunds; returns'],
  [/\bin vain\b/i, 'without success; failed'],
  [/\bovertak(?:e|es|en)\b/i, 'conflict'],
  [/\bremembered\b/i, 'cached; stored'],
  [/\bbur(?:y|ies|ied)\b/i, 'dead letter'],
]

/** Where a denied word is the field's own, a proper text, or fixed elsewhere. */
const ALLOWED = [
  /dead[ -_]?letters?/i,
  // Names in the JSON of the API, in addresses, settings and stored values, which stay as they are.
  /calledOff|called-off|called_off|isCalledOff|calledOffAt|door-(?:code|officer|shell|worker)|\/door\b|\bdoor:\w*|'door:?'|readDoorList|sendDoorMarks|callOff(?:RsvpEvent)?\b/,
  /resendLetter(?:ToMember)?|sendResetLetter|reset-letter|\/letters\b|:letter\b|(?<=\.)letters?\b|letters: (?:z|\[\]|toEmails)|'letters?'|letter: (?:id|emailId|')|\w*[lL]ettersPerEmail|letters-wait|'\w+Letters'/,
  /letter\.\w*|payment\.give_back|message\.settled|allSettled|takeOffSubscriber/,
  /isSomebodyElse|nobodys?@|nobody:|NOBODY_SUBSCRIBED|['"]everybody['"]/,
  // Proper English of the field.
  /focus[- ]?rings?|focus_ring|letter-?spacing|US Letter|cover letter|capital letters?|to the letter|letters? (?:and|or) (?:digits?|numbers?)|letters?, (?:numbers|digits|spaces|underscores)|(?:lowercase|small|upper ?case|one|two|single|first|Latin|these|start with a) letters?|letters of the (?:state|alphabet)|two-letter|a letter from (?:the|your)\b/i,
  /style ?sheets?|contact ?sheets?|spread ?sheets?/i,
  // Names of sample pictures and newsletters, and sentences of the brand.
  /the-open-door|the open door|doors at \d|\(doors \d|Doors at|doors open|There is no door here|One house, many doors|clinic door|autumn[- ]letter|door\.jpg/i,
]

const EXEMPT = [
  // Letters on paper.
  /^src\/server\/features\/member-email\/(?:post-pile|member-email(?:-proof)?\.http)|^src\/server\/emails\/pdf\/post-pdf|^src\/server\/features\/roll-call\/roll-call-post|^src\/web\/console\/member-emails\/(?:post-pile|member-email\.test)|^tests\/e2e\/members\/annual-meeting/,
  // Their names are history: every installed database has run them.
  /^src\/server\/db\/migrations\//,
  // Written by programs.
  /^docs\/(?:trust|bench|licenses)\.md$/,
  // They name what is not written.
  /^docs\/glossary\.md$|^tests\/architecture\/words\.test\.ts$/,
]

const files = listFiles(
  /^(?:src|tests|standins|tools|docs|deploy)\/.*\.(?:tsx?|mjs|css|md|ya?ml)$|^[A-Z]+\.md$/,
).filter((file) => !EXEMPT.some((pattern) => pattern.test(file)))

/** The lines of a text with a denied word, also inside an identifier: `readLetters`, `letter_id` and `LETTER-id` have the word letter. */
function denied(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const words = ALLOWED.reduce((rest, pattern) => rest.replace(new RegExp(pattern, 'gi'), ''), line)
      .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
      .replaceAll('_', ' ')
    return DENIED.filter(([word]) => word.test(words)).map(([, instead]) => `${line.trim()} → ${instead}`)
  })
}

test('no denied word is written', () => {
  expect(files.length).toBeGreaterThan(1500)
  const found = files.flatMap((file) =>
    denied(readFileSync(join(ROOT, file), 'utf8')).map((line) => `${file}: ${line}`),
  )
  expect(found).toEqual([])
})

test('no denied word is in the name of a file', () => {
  expect(files.flatMap((file) => denied(file.replaceAll('-', ' ')))).toEqual([])
})

test.each([
  ['an identifier', 'export function readLetters(): void {}'],
  ['a column', '  letter_id: string'],
  ['a comment', '// Whoever comes second waits.'],
  ['a text', "message: 'The officers are told.'"],
  ['a style', '.sheet-head {'],
])('a planted word is found in %s', (_where, line) => {
  expect(denied(line)).toHaveLength(1)
})

test('what the field calls so is allowed', () => {
  expect(denied('.a { letter-spacing: 0 } /* the style sheet */ const deadLetter = 1')).toEqual([])
})
