import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { EXPORT_MAX_BYTES, foundContent, type FoundContent } from '#contract/console/website/content-import.ts'
import { region, setRegion } from '#contract/region.ts'
import { parse } from 'zod/mini'
import { readExport } from './read-export.ts'

const before = region()
beforeEach(() => setRegion({ ...before, timeZone: 'America/New_York' }))
afterEach(() => setRegion(before))

const fixture = (name: string) => readFileSync(`tests/support/exports/${name}`, 'utf8')
async function read(text: string, site = ''): Promise<FoundContent> {
  const sent = await readExport(new File([text], 'export'), site)
  return parse(foundContent, JSON.parse(await sent.text()))
}

describe('a WordPress export', () => {
  test('has its posts and pages with Markdown, pictures and notes', async () => {
    const { site, items } = await read(fixture('wordpress.xml'))
    expect(site).toBe('https://www.peach.example/')
    const [gala, programme, minutes] = items
    expect(gala).toMatchObject({
      kind: 'news',
      address: 'https://www.peach.example/2019/05/spring-gala/',
      otherPaths: ['/?p=12'],
      title: 'Spring Gala & Auction',
      slug: 'spring-gala',
      isPublished: true,
      date: '2019-05-04',
      author: 'Asha Rao',
      excerpt: 'An evening by the river.',
      picture: 'https://www.peach.example/wp-content/uploads/2019/05/dance.jpg',
      notes: [
        'The block “latest-posts” was left out.',
        'A form was left out.',
        'It links to a file of the former website: menu.pdf. Upload it under Documents.',
      ],
    })
    expect(gala?.text).toBe(
      [
        'We met **by the river**. See [the programme](https://www.peach.example/about/programme/) and [the menu](https://www.peach.example/wp-content/uploads/2019/05/menu.pdf).',
        '## Thank you',
        '![Two dancers in red](https://www.peach.example/wp-content/uploads/2019/05/dance.jpg)',
        '*The first dance*',
        '[youtube.com/watch?v=abcdefghijk](https://www.youtube.com/watch?v=abcdefghijk)',
        'Click',
      ].join('\n\n'),
    )
    expect(programme).toMatchObject({
      kind: 'page',
      otherPaths: ['/?p=14', '/?page_id=14'],
      notes: [
        'The shortcode [contact-form-7] was left out.',
        'The shortcode [vc_row] was left out.',
        'The shortcode [vc_column] was left out.',
      ],
    })
    expect(programme?.text).toBe(
      [
        'First line\nsecond line of the *same* paragraph \\[sic\\].',
        '![Dancers](https://www.peach.example/wp-content/uploads/2019/05/dance.jpg) In the hall',
        '- One\n- Two',
        'Kept words',
      ].join('\n\n'),
    )
    expect(minutes).toMatchObject({ isPublished: false, date: '', notes: ['It was password-protected.'] })
  })

  test('keeps addresses of people to itself, and says what it leaves out', async () => {
    const found = await read(fixture('wordpress.xml'))
    expect(JSON.stringify(found)).not.toMatch(/someone@|asha@/)
    expect(found.leftOut).toEqual([
      { what: expect.stringMatching(/^Pictures and files/), count: 1 },
      { what: 'Menu items', count: 1 },
      { what: 'Items in the trash', count: 1 },
      { what: 'Comments', count: 1 },
    ])
  })

  test.each([
    [
      'with a document type',
      (xml: string) => xml.replace('<rss', '<!DOCTYPE rss [<!ENTITY a "x">]><rss'),
      /not an export/,
    ],
    ['that is cut off', (xml: string) => xml.slice(0, 3_000), /damaged or incomplete/],
    ['of another program', () => '<?xml version="1.0"?><html></html>', /not an export/],
    ['that is no text', () => '\u0000\u0001PK', /not an export/],
  ])('%s is refused', async (_, change, sentence) => {
    await expect(read(change(fixture('wordpress.xml')))).rejects.toThrow(sentence)
  })

  test('may have characters that XML does not allow', async () => {
    const { items } = await read(fixture('wordpress.xml').replace('Lovely', '\u0008').replace('Secret', 'Se\u000bcret'))
    expect(items[2]?.text).toBe('Secret')
  })
})

describe('a Ghost export', () => {
  test('has its posts and pages at the address that the officer gives', async () => {
    const { site, items } = await read(fixture('ghost.json'), 'peach.example')
    expect(site).toBe('https://peach.example')
    expect(items[0]).toMatchObject({
      kind: 'news',
      address: 'https://peach.example/flu-shots/',
      isPublished: true,
      // In the evening before, where the association is.
      date: '2025-06-30',
      author: 'Asha Rao and Jo Bloggs',
      excerpt: 'Free for everyone.',
      picture: 'https://peach.example/content/images/2025/06/shot.jpg',
      pictureAlt: 'A syringe',
    })
    expect(items[0]?.text).toBe(
      [
        'From October. [The clinic](https://peach.example/clinic/).',
        '![A line (long)](https://peach.example/content/images/2025/06/line.jpg)',
        '[youtube.com/watch?v=abcdefghijk](https://www.youtube.com/watch?v=abcdefghijk)',
      ].join('\n\n'),
    )
    expect(items[1]).toMatchObject({ kind: 'page', isPublished: false, notes: ['Only members could read it.'] })
  })

  test.each([
    ['without an address', '', /Enter the address/],
    ['with one that is none', 'javascript:alert(1)', /Enter the address/],
  ])('%s is refused', async (_, site, sentence) => {
    await expect(read(fixture('ghost.json'), site)).rejects.toThrow(sentence)
  })

  test('of another shape is refused', async () => {
    await expect(read('{"db":[]}', 'https://a.example')).rejects.toThrow(/not an export/)
    await expect(read('{"db":', 'https://a.example')).rejects.toThrow(/damaged/)
  })
})

describe('a calendar', () => {
  test('has its events in the time zone of the association, and says why others are left out', async () => {
    const { items } = await read(fixture('calendar.ics'))
    expect(items.map(({ title, date, time, obstacle }) => [title, date, time, obstacle])).toEqual([
      ['Spring gala, with auction', 'May 4, 2030', '6:00 PM to 10:00 PM', ''],
      ['Annual meeting', 'December 12-14, 2030', '', ''],
      ['Call', 'July 10, 2030', '10:00 PM to 11:30 PM', ''],
      ['Dance', 'January 10, 2030', '8:00 PM to 1:00 AM', ''],
      ['Board', 'January 7, 2030', '7:00 PM', 'It repeats. Add the dates that you want as events of their own.'],
      ['Picnic', 'January 7, 2030', '7:00 PM', 'It was canceled.'],
      ['Odd', '', '', 'Its time zone “Mars/Olympus” is not known.'],
      ['Never', '', '', 'Its date cannot be read.'],
    ])
    expect(items[0]).toMatchObject({ address: 'gala@peach.example', location: 'Piedmont Park, Atlanta' })
    expect(items[0]?.text).toBe(
      'Black tie.\n\nBring \\* a friend.\n\n[www.peach.example/events/gala](https://www.peach.example/events/gala)',
    )
    expect(items[1]?.text).toBe('In **Savannah**.')
  })
})

test('a file that is too large is not read', async () => {
  const file = new File([''], 'large.xml')
  Object.defineProperty(file, 'size', { value: EXPORT_MAX_BYTES + 1 })
  await expect(readExport(file, '')).rejects.toThrow(/larger than 100 MB/)
})
