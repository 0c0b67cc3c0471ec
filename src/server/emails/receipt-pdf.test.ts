import { describe, expect, test } from 'vitest'
import { association } from '#tests/support/association.ts'
import { readPdf } from '#tests/support/files/pdf-text.ts'
import { renderPdf } from './receipt-pdf.ts'

const AT = Date.UTC(2030, 0, 31)

function print(name: string, notes: string[] = []) {
  const details: [string, string][] = [['Paid by', name]]
  return renderPdf({ title: 'Receipt R-1', heading: 'Receipt', createdAt: AT, details, notes }, association)
}

const NAMES: [script: string, name: string][] = [
  ['Latin Extended', 'Łukasz Şahin Đặng Thị Ngọc Dvořák'],
  ['Greek and Cyrillic', 'Αλέξανδρος Иван'],
  ['Devanagari', 'श्री कृष्णमूर्ति विद्यार्थी क्ष्मि'],
  ['Gujarati', 'શ્રી નરેન્દ્રભાઈ કૃષ્ણ'],
  ['Gurmukhi', 'ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ'],
  ['Bengali', 'রবীন্দ্রনাথ ঠাকুর মৈত্রেয়ী কোলে'],
  ['Tamil', 'ஸ்ரீ கிருஷ்ணமூர்த்தி கொளக்கோ'],
  ['Telugu', 'శ్రీ కృష్ణమూర్తి వేంకటేశ్వర్లు'],
  ['Kannada', 'ಶ್ರೀ ರಾಘವೇಂದ್ರ ಕೊಕ್ಕೋ'],
  ['Malayalam', 'ശ്രീ കൃഷ്ണമൂർത്തി ക്രൈസ്തവ'],
  ['Odia', 'ଶ୍ରୀ ଜଗନ୍ନାଥ'],
  ['Chinese', '张伟 劉德華'],
  ['Japanese', '山田 たろう ヤマダ'],
  ['Korean', '김민수'],
  ['several scripts', 'Dr. Anagha Krishnan (അനഘ കൃഷ്ണൻ) 李 Rao'],
]

describe('a name in a PDF', () => {
  test.each(NAMES)('in %s is drawn with glyphs of the font and can be copied', async (_, name) => {
    const { text, glyphs, embeddedFonts } = await readPdf(await print(name))
    expect(text).toContain(name.normalize('NFC'))
    expect(text).not.toContain('?')
    expect(glyphs.length).toBeGreaterThan(0)
    expect(glyphs).not.toContain(0)
    for (const font of embeddedFonts) expect(font).toMatch(/^\/[A-Z]{6}\+noto-sans/)
  })

  test('in Arabic is drawn from right to left, and each character can be copied', async () => {
    const name = 'محمد عبد الله الحسيني'
    const { text, glyphs } = await readPdf(await print(`Dr. ${name} Jr.`))
    // In visual order, which PDF readers reverse when copying.
    expect(text).toContain(`Dr. ${[...name].reverse().join('')} Jr.`)
    expect(glyphs).not.toContain(0)
  })

  test.each([
    ['Ana 🎉 Rao 👩🏽‍⚕️', 'Ana Rao'],
    ['สมชาย ใจดี (Somchai)', '[Thai] (Somchai)'],
    ['Ana\u0000\u200b\u202e Rao', 'Ana Rao'],
    ['\u{10ffff}\u{e000}Ana', 'Ana'],
    ['A\u0360na', 'Ana'],
  ])('%j, which no font covers completely, becomes %j', async (name, shown) => {
    const { text, glyphs } = await readPdf(await print(name))
    expect(text).toContain(`Paid by${shown}`)
    expect(text).not.toContain('?')
    expect(glyphs).not.toContain(0)
  })

  test('in Latin script needs no embedded font', async () => {
    const { text, embeddedFonts } = await readPdf(await print('Zoë Ångström-Müller'))
    expect(text).toContain('Zoë Ångström-Müller')
    expect(embeddedFonts).toEqual([])
  })

  test('longer than a line is broken between graphemes, never within one', async () => {
    const name = 'കൃഷ്ണമൂർത്തി'.repeat(12)
    const { text, glyphs } = await readPdf(await print(name))
    expect(text).toContain(name)
    expect(glyphs).not.toContain(0)
  })
})

test('rendering is deterministic, and only the needed glyphs are embedded', async () => {
  const [first, second] = [await print('अनघा राव 张伟'), await print('अनघा राव 张伟')]
  expect(Buffer.from(first).equals(Buffer.from(second))).toBe(true)
  expect(first.length).toBeLessThan(20_000)
})

test('notes and the association’s name may also be in any script', async () => {
  const details: [string, string][] = [['Paid by', 'Ana Rao']]
  const paper = { title: 'Receipt', heading: 'Receipt', createdAt: AT, details, notes: ['धन्यवाद, Łukasz.'] }
  const { text, glyphs } = await readPdf(await renderPdf(paper, { ...association, name: 'ജോർജിയ അസോസിയേഷൻ' }))
  expect(text).toContain('धन्यवाद, Łukasz.')
  expect(text).toContain('ജോർജിയ അസോസിയേഷൻ')
  expect(glyphs).not.toContain(0)
})
