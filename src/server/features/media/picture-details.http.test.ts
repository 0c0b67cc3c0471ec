import sharp from 'sharp'
import { describe, expect, test, vi } from 'vitest'
import { officerWith, prove } from '#tests/support/officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import type { TestBrowser } from '#tests/support/test-browser.ts'
import { raiseContentVersion } from '../association/content.repository.ts'

/** Each picture is prepared in a process of its own, one after the other. */
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
    query.set('alt', 'Somebody smiles')
    const headers = { authorization: `Bearer ${editor.token}`, 'content-type': 'application/octet-stream' }
    return fetch(`${peopled().url}${TEAM}?${query}`, { method: 'POST', headers, body: bytes })
  }

  /** Whose portraits visitors are told of, by file. */
  async function shown(): Promise<Record<string, string>> {
    await peopled().app.refreshContent()
    const { data } = (await peopled().browser().get('/api/s3/exec/folder/team')).body as {
      data: { images: { filename: string; person?: { list: string; name: string } }[] }
    }
    return Object.fromEntries(
      data.images.flatMap(({ filename, person }) => (person ? [[filename, `${person.list}/${person.name}`]] : [])),
    )
  }

  test('a portrait goes to the person chosen, whatever its file is called, to one person, and not to who takes the office', async () => {
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

    // Another picture of the same person takes its place; the same file without a person belongs to nobody.
    expect((await portrait(editor, 'img-2.jpg', chosen)).status).toBe(201)
    expect(await shown()).toEqual({ 'img-2.jpg': `leaders/${president.name}` })
    expect((await portrait(editor, 'img-2.jpg')).status).toBe(201)
    expect(await shown()).toEqual({})

    const person = { list: student.list, name: student.name }
    const described = await editor.call('PUT', `${TEAM}/img-2.jpg`, { alt: 'A student', person })
    expect([described.status, described.body.person]).toEqual([200, { ...person, isListed: true }])
    expect(await shown()).toEqual({ 'img-2.jpg': `forum/${student.name}` })

    // Somebody else takes the office, and the name is gone from the site.
    await db.updateTable('forum_member').set({ name: 'Somebody Else' }).where('name', '=', student.name).execute()
    await db.transaction().execute((tx) => raiseContentVersion(tx))
    expect(await shown()).toEqual({})
    const { body } = await editor.get(`${TEAM}/img-2.jpg`)
    expect(body.person).toEqual({ ...person, isListed: false })
    const gone = await editor.call('PUT', `${TEAM}/img-2.jpg`, { alt: 'A student', person })
    expect(gone.body.errors.person).toMatch(/^Nobody called/)
    await editor.call('PUT', `${TEAM}/img-2.jpg`, { alt: 'A student' })
    expect((await editor.get(`${TEAM}/img-2.jpg`)).body.person).toEqual({ ...person, isListed: false })
  })

  test('two officers at once give one person one portrait', async () => {
    const editor = await officerWith(peopled(), ['editor'])
    await Promise.all(['one.jpg', 'two.jpg', 'three.jpg'].map((name) => portrait(editor, name)))
    const { people } = (await editor.get('/api/console/media')).body as { people: { list: string; name: string }[] }
    const { list, name } = people.find((one) => one.list === 'leaders') ?? {}
    const said = { alt: 'A', person: { list, name } }
    await Promise.all(['one.jpg', 'two.jpg', 'three.jpg'].map((file) => editor.call('PUT', `${TEAM}/${file}`, said)))
    expect(Object.values(await shown()).filter((one) => one === `${list}/${name}`)).toHaveLength(1)
  })

  test('a caption and a description are fields: given with the picture, changed afterwards, listed for pages', async () => {
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
    const changed = await editor.call('PUT', `${gallery}/img-4103.png`, { alt: 'People dance in rings', caption: '' })
    expect([changed.status, changed.body.caption]).toEqual([200, ''])
    expect(await listed()).toMatchObject({ alt: 'People dance in rings', caption: '' })
    await editor.call('PUT', `${gallery}/img-4103.png`, { alt: 'People' })
    expect(await listed()).toMatchObject({ alt: 'People', caption: '' })
    const nobody = await editor.call('PUT', `${gallery}/img-4103.png`, {
      alt: 'A',
      person: { list: 'leaders', name: 'x' },
    })
    expect(nobody.body.errors.person).toBe('Only portraits show a person')
  })

  test('whoever writes is offered every picture of the store and the drawings of the site; one of any folder is kept fresh and in use', async () => {
    const editor = await officerWith(peopled(), ['editor'])
    const { folders, drawings } = (await editor.get('/api/console/media')).body as {
      folders: { folder: string; pictures: { address: string }[] }[]
      drawings: { name: string }[]
    }
    expect(drawings.map(({ name }) => name)).toEqual(expect.arrayContaining(['event-lecture', 'hero-gala', 'clinic']))
    expect(drawings.map(({ name }) => name).filter((name) => /^(spot|plate|mark)/.test(name))).toEqual([])
    const address = folders.find(({ folder }) => folder === 'gallery')?.pictures[0]?.address ?? ''
    const value = { title: 'From the gallery', description: 'D', date: 'December 12, 2026', location: 'Macon' }
    const saved = { value: { ...value, imageKey: [address] }, version: '', action: 'publish' }
    expect((await editor.call('PUT', '/api/console/content/events/new', saved)).status).toBe(200)
    const { body } = await editor.get(address.replace('/media', '/api/console/media'))
    expect(body.usedIn.map(({ title }: { title: string }) => title)).toEqual(['From the gallery'])
    await prove(peopled(), editor)
    expect((await editor.call('DELETE', address.replace('/media', '/api/console/media'))).status).toBe(409)
  })
})
