import { isAddress, recordText, type RecordValue } from '#contract/member-record/record-values.ts'
import { foldText } from '#server/db/fold-text.rules.ts'
import { splitWords } from '#server/db/split-words.rules.ts'
import { tolerance, wordDistance } from '#server/db/word-distance.rules.ts'

/** The words that a person in the directory is found by. The same code prepares what is stored and what is sought, on every engine. */

const PREFIX_MAX = 6
const WORDS_MAX = 40
const FILTER_MAX = 100
/** Shorter words must be spelled as they are. */
const SIMILAR_FROM = 4

/** The words of a text, each once. */
export function wordsOf(text: string): string[] {
  return [...new Set(splitWords(foldText(text)))].slice(0, WORDS_MAX)
}

/** The sought words. A single Latin letter, such as an initial, is left out: it would match too many people. */
export function soughtWords(text: string): string[] {
  return wordsOf(text).filter((word) => !/^[a-z0-9]$/.test(word))
}

/** Whole values by which the directory is filtered: each choice, the city of an address, a short text. */
export function filterValues(value: RecordValue): string[] {
  if (Array.isArray(value)) return value.map(filterWord)
  if (isAddress(value)) return [filterWord(value.city)]
  return typeof value === 'string' ? [filterWord(value)] : []
}

/** As stored: the sign cannot be in a word of a text. */
export function filterWord(text: string): string {
  return `=${splitWords(foldText(text)).join(' ').slice(0, FILTER_MAX)}`
}

/** All words of a value, for the index. */
export function wordsOfValue(value: RecordValue): string[] {
  return [...new Set([...wordsOf(recordText(value)), ...filterValues(value)])]
}

/** Under what a word is stored, so that it is found by its beginning and in another spelling. */
export function spellingsOf(word: string): string[] {
  const beginnings = Array.from({ length: Math.min(word.length, PREFIX_MAX) }, (_, index) => word.slice(0, index + 1))
  return [...beginnings.map((beginning) => `${beginning}*`), ...(word.length < SIMILAR_FROM ? [] : soundsOf(word))]
}

/** Under what a sought word is looked up. `matchesWord` decides about what is found there. */
export function lookupsOf(sought: string): string[] {
  return [`${sought.slice(0, PREFIX_MAX)}*`, ...(sought.length < SIMILAR_FROM ? [] : soundsOf(sought))]
}

/** Whether a word begins with the sought one, sounds like it, or is written almost like it. */
export function matchesWord(sought: string, word: string): boolean {
  return isMeant(sought, word) || isAlmost(sought, word)
}

/** The words that a sought one means: those that begin with it or sound like it. Only if there is none, those that are written almost like it. */
export function wordsMeant(sought: string, words: readonly string[]): string[] {
  const meant = words.filter((word) => isMeant(sought, word))
  return meant.length > 0 ? meant : words.filter((word) => isAlmost(sought, word))
}

function isMeant(sought: string, word: string): boolean {
  return word.startsWith(sought) || (mayDiffer(sought, word) && soundOf(sought) === soundOf(word))
}

function isAlmost(sought: string, word: string): boolean {
  const most = tolerance(sought)
  return mayDiffer(sought, word) && wordDistance(sought, word, most) <= most
}

function mayDiffer(sought: string, word: string): boolean {
  return sought.length >= SIMILAR_FROM && word.length >= SIMILAR_FROM && !/\d/.test(sought)
}

/** How a word sounds, and the same without each of its sounds: two words with one difference share one of them. */
function soundsOf(word: string): string[] {
  const sound = soundOf(word)
  const shorter = Array.from(sound, (_, index) => sound.slice(0, index) + sound.slice(index + 1))
  return [...new Set([sound, ...(sound.length > 2 ? shorter : [])])]
}

const SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/ph/g, 'f'],
  [/[ckq]h|sch/g, 'k'],
  [/([bdgjpst])h/g, '$1'],
  [/[cq]|ck/g, 'k'],
  [/x/g, 'ks'],
  [/w/g, 'v'],
  [/z/g, 's'],
  [/j/g, 'g'],
]
const VOWELS = /(?<!^)[aeiouyh]/g

/** The consonants after the first letter, with spellings that are often confused written alike: Aggarwal and Agrawal, Choudhury and Chowdhary, Phillips and Filips. */
function soundOf(word: string): string {
  const alike = SOUNDS.reduce((text, [written, sound]) => text.replace(written, sound), word)
  return alike
    .replace(/^[aeiouy]/, 'a')
    .replace(VOWELS, '')
    .replace(/(.)\1+/g, '$1')
}
