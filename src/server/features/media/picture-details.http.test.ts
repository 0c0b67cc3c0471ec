import { changeRecord } from '#tests/support/content/stored-records.ts'
import { forumKind } from '#server/features/content-store/kinds/people.kinds.ts'
import sharp from 'sharp'
import { describe, expect, test, vi } from 'vitest'
import { officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'

/** Pictures are processed one at a time, each in its own process. */
vi.setConfig({ testTimeout: 60_000 })

describe('captions and portraits', () => {
  const peopled = useTestApp({ samples: true, environment: { RATE_LIMITS: 'x100' } })
  const TEAM = '/api/console/media/exec/team'

  async function portrait(editor: TestBrowser, filename: string, person?: { list: string; name: string }) {
    const bytes = new Uint8Array(
      await sharp({ create: { width: 300, height: 350, channels: 3, background: '#346' } })
        .jpeg()
        .toBuffer(),
    )
    const query = new URLSearchParams({
      filename,
      alt: '',
      ...(person && { personList: person.list, personName: person.name }),
    })
    query.set('alt', 'Someone smiles')
    const headers = { authorization: `Bearer ${editor.token}`, 'content-type': 'application/octet-stream' }
    return fetch(`${peopled().url}${TEAM}?${query}`, { method: 'POST', headers, body: bytes })
  }

  /** The people of the portraits as visitors see them, by file. */
  async function shown(): Promise<Record<string, string>> {
    await peopled().app.refreshContent()
    const { data } = (await peopled().browser().get('/api/s3/exec/folder/team')).body as {
      data: { images: { filename: string; person?: { list: string; name: string } }[] }
    }
    return Object.fromEntries(
      data.images.flatMap(({ filename, person }) => (person ? [[filename, `${person.list}/${person.name}`]] : [])),
    )
  }

  test('a portrait is linked to one person, regardless of its file name, and not to a successor in office', async () => {
    const editor = await officerWith(peopled(), ['editor'])
    const { db } = peopled().database
    const { people } = (await editor.get('/api/console/media')).body as {
      people: { list: string; name: string; where: string[] }[]
    }
    const president = people.find(({ where }) => where.some((one) => one.endsWith('2025-26, President')))
    const student = people.find(({ list }) => list === 'forum')
    if (!president || !student) throw new Error('The samples have no president')
    const chosen = { list: president.list, name: president.name }

    expect((await portrait(editor, 'president.jpg')).status).toBe(201)
    expect(await shown()).toEqual({})
    expect((await portrait(editor, 'img-1.jpg', { list: 'forum', name: president.name })).status).toBe(400)
    expect((await portrait(editor, 'president.jpg', chosen)).status).toBe(201)
    expect(await shown()).toEqual({ 'president.jpg': `leaders/${president.name}` })

    // Another portrait replaces it; a new file without a person is linked to no one.
    expect((await portrait(editor, 'img-2.jpg', chosen)).status).toBe(201)
    expect(await shown()).toEqual({ 'img-2.jpg': `leaders/${president.name}` })
    expect((await portrait(editor, 'img-2.jpg')).status).toBe(201)
    expect(await shown()).toEqual({})

    const person = { list: student.list, name: student.name }
    const described = await editor.call('PUT', `${TEAM}/img-2.jpg`, { alt: 'A student', person })
    expect([described.status, described.body.person]).toEqual([200, { ...person, isListed: true }])
    expect(await shown()).toEqual({ 'img-2.jpg': `forum/${student.name}` })

    // Someone else takes the office, and the name is no longer on the site.
    await changeRecord(db, forumKind, ({ team }) => ({
      team: team.map((one) => (one.name === student.name ? { ...one, name: 'Someone Else' } : one)),
    }))
    await db.transaction().execute((tx) => incrementContentVersion(tx))
    expect(await shown()).toEqual({})
    const { body } = await editor.get(`${TEAM}/img-2.jpg`)
    expect(body.person).toEqual({ ...person, isListed: false })
    const gone = await editor.call('PUT', `${TEAM}/img-2.jpg`, { alt: 'A student', person })
    expect(gone.body.errors.person).toMatch(/is no longer listed there/)
    await editor.call('PUT', `${TEAM}/img-2.jpg`, { alt: 'A student' })
    expect((await editor.get(`${TEAM}/img-2.jpg`)).body.person).toEqual({ ...person, isListed: false })
  })

  test('two concurrent officers leave a person with one portrait', async () => {
    const editor = await officerWith(peopled(), ['editor'])
    await Promise.all(['one.jpg', 'two.jpg', 'three.jpg'].map((name) => portrait(editor, name)))
    const { people } = (await editor.get('/api/console/media')).body as { people: { list: string; name: string }[] }
    const { list, name } = people.find((one) => one.list === 'leaders') ?? {}
    const said = { alt: 'A', person: { list, name } }
    await Promise.all(['one.jpg', 'two.jpg', 'three.jpg'].map((file) => editor.call('PUT', `${TEAM}/${file}`, said)))
    expect(Object.values(await shown()).filter((one) => one === `${list}/${name}`)).toHaveLength(1)
  })

  test('caption and alt text can be set on upload, changed later, and are listed for pages', async () => {
    const editor = await officerWith(peopled(), ['editor'])
    const bytes = new Uint8Array(
      await sharp({ create: { width: 300, height: 200, channels: 3, background: '#346' } })
        .png()
        .toBuffer(),
    )
    const headers = { authorization: `Bearer ${editor.token}`, 'content-type': 'application/octet-stream' }
    const gallery = '/api/console/media/home/gallery'
    const path = `${gallery}?filename=IMG_4103.png&alt=People+dance&caption=Garba+in+Macon`
    expect((await fetch(`${peopled().url}${path}`, { method: 'POST', headers, body: bytes })).status).toBe(201)
    const listed = async () => {
      await peopled().app.refreshContent()
      const { data } = (await peopled().browser().get('/api/s3/home/folder/gallery')).body as {
        data: { images: Record<string, unknown>[] }
      }
      return data.images.find(({ filename }) => filename === 'img-4103.png')
    }
    expect(await listed()).toMatchObject({ alt: 'People dance', caption: 'Garba in Macon' })
    const changed = await editor.call('PUT', `${gallery}/img-4103.png`, { alt: 'People dance in circles', caption: '' })
    expect([changed.status, changed.body.caption]).toEqual([200, ''])
    expect(await listed()).toMatchObject({ alt: 'People dance in circles', caption: '' })
    await editor.call('PUT', `${gallery}/img-4103.png`, { alt: 'People' })
    expect(await listed()).toMatchObject({ alt: 'People', caption: '' })
    const linked = await editor.call('PUT', `${gallery}/img-4103.png`, {
      alt: 'A',
      person: { list: 'leaders', name: 'x' },
    })
    expect(linked.body.errors.person).toBe('Only portraits can be linked to a person')
  })

  test('editors can choose from all stored pictures and the site’s illustrations; a picture of any folder has a current URL and is listed as used', async () => {
    const editor = await officerWith(peopled(), ['editor'])
    const { pictures, drawings } = (await editor.get('/api/console/media?folder=home/gallery')).body as {
      pictures: { address: string }[]
      drawings: { name: string }[]
    }
    expect(drawings.map(({ name }) => name)).toEqual(expect.arrayContaining(['event-lecture', 'hero-gala', 'clinic']))
    expect(drawings.map(({ name }) => name).filter((name) => /^(spot|plate|mark)/.test(name))).toEqual([])
    const address = pictures[0]?.address ?? ''
    const value = { title: 'From the gallery', description: 'D', date: 'December 12, 2026', location: 'Macon' }
    const saved = { value: { ...value, imageKey: [address] }, version: '', action: 'publish' }
    expect((await editor.call('PUT', '/api/console/content/events/new', saved)).status).toBe(200)
    const { body } = await editor.get(address.replace('/media', '/api/console/media'))
    expect(body.usedIn.map(({ title }: { title: string }) => title)).toEqual(['From the gallery'])
    await recordSecondFactor(peopled(), editor)
    expect((await editor.call('DELETE', address.replace('/media', '/api/console/media'))).status).toBe(409)
  })
})
