import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { saveByKey } from '#tests/support/web/console-test-helpers.tsx'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import { detail, lamp, sand } from '#tests/support/web/picture-samples.ts'
import PicturePage from './picture.tsx'

const api = useFakeApi()
const PATH = '/api/console/media/home/articles/lamp.jpg'
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const ARTICLES = { bucket: 'home', folder: 'articles' }
const flags = { hasCaptions: false, hasPeople: false }
const folders = [
  { bucket: 'home', folder: 'articles', label: detail.label, use: detail.use, ...flags, count: 2 },
  {
    bucket: 'home',
    folder: 'gallery',
    label: 'The association in action',
    use: '',
    hasCaptions: true,
    hasPeople: false,
    count: 0,
  },
]
const media = { folders, pictures: [lamp, sand], total: 2, pages: 1, undescribed: 0, people: [], drawings: [] }

function LampPage() {
  return <PicturePage bucket="home" folder="articles" filename="lamp.jpg" />
}
const open = () => renderPage(LampPage, { at: '/console/pictures/home/articles/lamp.jpg' })

test('a frame is moved and sized with the arrow keys, and what the server made of it is shown; the whole comes back', async () => {
  api.current.on(`GET ${PATH}`, { body: detail })
  const { person } = open()
  const box = await screen.findByRole('group', { name: 'Crop area' })
  const crop = screen.getByRole<HTMLButtonElement>('button', { name: 'Crop' })
  expect(crop.disabled).toBe(true)
  screen.getByRole('img', { name: 'Preview' })
  await person.click(screen.getByRole('button', { name: 'Square' }))
  within(box).getByText('600 by 600 pixels, 100 from the left and 0 from the top')
  within(box)
    .getByRole('button', { name: /^Corner bottom right/ })
    .focus()
  await person.keyboard('{ArrowLeft}{Shift>}{ArrowLeft}{/Shift}')
  within(box).getByText('552 by 552 pixels, 100 from the left and 0 from the top')
  within(box)
    .getByRole('button', { name: /^Frame/ })
    .focus()
  await person.keyboard('{ArrowDown}{ArrowRight}')
  within(box).getByText('552 by 552 pixels, 108 from the left and 6 from the top')

  api.current.on(`PUT ${PATH}/crop`, 'no network')
  await person.click(crop)
  await screen.findByText(/your input is kept/)
  const wanted = { left: 1_350, top: 100, width: 6_900, height: 9_200 }
  api.current.on(`PUT ${PATH}/crop`, { body: { ...detail, url: '/media/home/articles/lamp.jpg?v=2', crop: wanted } })
  await person.click(crop)
  await screen.findByText(/^Cropped\./)
  expect(api.current.requestsTo(`PUT ${PATH}/crop`).map(({ body }) => body)).toEqual([wanted, wanted])
  expect(screen.getByRole('img', { name: 'A lamp' }).getAttribute('src')).toContain('?v=2')

  api.current.on(`DELETE ${PATH}/crop`, { body: detail })
  await person.click(screen.getByRole('button', { name: 'Reset crop' }))
  await screen.findByText('Crop reset.')
  within(box).getByText('800 by 600 pixels, 0 from the left and 0 from the top')
})

test('a photograph is printed in two colors from its original', async () => {
  api.current.on(`GET ${PATH}`, { body: detail })
  const { person } = open()
  await person.click(await screen.findByRole('checkbox', { name: /^Print in two colors/ }))
  const whole = { left: 0, top: 0, width: 10_000, height: 10_000, isPrint: true }
  api.current.on(`PUT ${PATH}/crop`, { body: { ...detail, crop: whole } })
  await person.click(screen.getByRole('button', { name: 'Apply' }))
  await screen.findByText(/^Applied\./)
  expect(api.current.requestsTo(`PUT ${PATH}/crop`).map(({ body }) => body)).toEqual([whole])

  // Without the treatment and without a crop, the original is there again.
  await person.click(screen.getByRole('checkbox', { name: /^Print in two colors/ }))
  api.current.on(`DELETE ${PATH}/crop`, { body: detail })
  await person.click(screen.getByRole('button', { name: 'Apply' }))
  await waitFor(() => expect(api.current.requestsTo(`DELETE ${PATH}/crop`)).toHaveLength(1))
})

test('another takes its place after every use was named; what is used elsewhere by now is shown first', async () => {
  api.current.on(`GET ${PATH}`, { body: detail }).on('GET /api/console/media', { body: media })
  const { person } = open()
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Delete image' })).disabled).toBe(true)
  await person.click(screen.getByRole('button', { name: 'Replace everywhere' }))
  const choice = await screen.findByRole('dialog', { name: 'Replace everywhere' })
  await person.click(await within(choice).findByRole('button', { name: /Sand/ }))
  expect(within(choice).queryByRole('button', { name: /A lamp/ })).toBeNull()
  const dialog = await screen.findByRole('dialog', { name: 'Replace everywhere?' })
  within(dialog).getByRole('link', { name: 'Gala' })
  expect(within(dialog).queryByRole('link', { name: 'Spring' })).toBeNull()
  within(dialog).getByText('1 email already sent does not change.')
  const more = [
    ...lamp.usedIn,
    { title: 'Clinic', what: 'page', path: '/console/content/pages/clinic', how: ['public'] },
    { title: 'Summer', what: 'newsletter', path: '/console/newsletter/n2', how: ['sent'] },
  ]
  api.current
    .on(
      `POST ${PATH}/replacement`,
      errorResponse(409, 'CHANGED_MEANWHILE', 'Someone else changed this in the meantime.'),
    )
    .on(`GET ${PATH}`, { body: { ...detail, usedIn: more } })
  await person.click(within(dialog).getByRole('button', { name: 'Replace' }))
  await within(dialog).findByRole('link', { name: 'Clinic' })
  within(dialog).getByText('Someone else changed this in the meantime.')
  within(dialog).getByText('2 emails already sent do not change.')
  api.current.on(`POST ${PATH}/replacement`, { body: { ...detail, usedIn: [lamp.usedIn[1]] } })
  await person.click(within(dialog).getByRole('button', { name: 'Replace in 2 places' }))
  await screen.findByText('Replaced. The change is live.')
  expect(api.current.requestsTo(`POST ${PATH}/replacement`).map(({ body }) => body)).toEqual([
    { by: 'sand.jpg', byPlace: ARTICLES, seen: ['/console/content/events/gala'] },
    { by: 'sand.jpg', byPlace: ARTICLES, seen: ['/console/content/events/gala', '/console/content/pages/clinic'] },
  ])
  expect(screen.queryByRole('button', { name: 'Replace everywhere' })).toBeNull()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  await person.click(screen.getByRole('button', { name: 'Delete image' }))
  await screen.findByText('It will be missing from emails already sent with it.')
})

test('while an image is being replaced no other can be chosen; a failure is shown in the dialog', async () => {
  let answer: (what: 'no network') => void = () => {}
  api.current
    .on(`GET ${PATH}`, { body: detail })
    .on('GET /api/console/media', { body: media })
    .on(`POST ${PATH}/replacement`, new Promise<'no network'>((resolve) => (answer = resolve)))
  const { person } = open()
  await person.click(await screen.findByRole('button', { name: 'Replace everywhere' }))
  const dialog = await screen.findByRole('dialog', { name: 'Replace everywhere' })
  await person.click(await within(dialog).findByRole('button', { name: /Sand/ }))
  await person.click(within(dialog).getByRole('button', { name: 'Replace' }))
  const another = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Back' })
  await person.click(another)
  expect(another.isConnected && another.disabled).toBe(true)
  answer('no network')
  await within(dialog).findByText(/your input is kept/)
  await waitFor(() => expect(another.disabled).toBe(false))
})

const UPLOAD = 'POST /api/console/media/home/articles'
const file = (name: string, type = 'image/jpeg', bytes = 1_000) => {
  const made = new File(['x'], name, { type })
  Object.defineProperty(made, 'size', { value: bytes })
  return made
}
test('while an image is uploading no other can be chosen, since the upload would replace the choice', async () => {
  let answer: (what: 'no network') => void = () => {}
  api.current
    .on(`GET ${PATH}`, { body: detail })
    .on('GET /api/console/media', { body: media })
    .on(UPLOAD, new Promise<'no network'>((resolve) => (answer = resolve)))
  const { person } = open()
  await person.click(await screen.findByRole('button', { name: 'Replace everywhere' }))
  const dialog = await screen.findByRole('dialog', { name: 'Replace everywhere' })
  const other = await within(dialog).findByRole<HTMLButtonElement>('button', { name: /Sand/ })
  fireEvent.change(within(dialog).getByLabelText('Choose an image'), { target: { files: [file('lamps.jpg')] } })
  await waitFor(() => expect(other.disabled).toBe(true))
  answer('no network')
  await within(dialog).findByText(/We couldn’t reach the site/)
  expect(other.disabled).toBe(false)
})

test('everything of the store can be put in its place, whatever folder it lies in', async () => {
  const stage = {
    ...sand,
    key: 'gallery/stage.jpg',
    folder: 'gallery',
    filename: 'stage.jpg',
    alt: 'A stage',
    address: '/media/home/gallery/stage.jpg',
  }
  api.current
    .on(`GET ${PATH}`, { body: detail })
    .on('GET /api/console/media', { body: { ...media, pictures: [stage] } })
  const { person } = open()
  await person.click(await screen.findByRole('button', { name: 'Replace everywhere' }))
  const dialog = await screen.findByRole('dialog')
  await within(dialog).findByRole('option', { name: 'The association in action' })
  expect(within(dialog).queryByRole('option', { name: 'Illustrations' })).toBeNull()
  await person.click(within(dialog).getByRole('button', { name: /A stage/ }))
  api.current.on(`POST ${PATH}/replacement`, { body: { ...detail, usedIn: [] } })
  await person.click(await within(dialog).findByRole('button', { name: 'Replace' }))
  await screen.findByText('Replaced. The change is live.')
  expect(api.current.requestsTo(`POST ${PATH}/replacement`)[0]?.body).toMatchObject({ byPlace: { folder: 'gallery' } })
})

test('a portrait says whose it is, by name and place; a caption is changed where visitors read one', async () => {
  const people = [
    { list: 'leaders', name: 'Dr. Asha Iyer', where: ['Executive Committee, President', 'Board of Trustees'] },
    { list: 'forum', name: 'Asha Iyer', where: ['Students’ and residents’ forum, President'] },
  ] as const
  const where = '/api/console/media/exec/team/president.jpg'
  const portrait = { ...detail, hasPeople: true, hasCaptions: true, people, isChosen: false, usedIn: [] }
  api.current.on(`GET ${where}`, {
    body: { ...portrait, person: { list: 'leaders', name: 'Dr. Gone', isListed: false } },
  })
  function Portrait() {
    return <PicturePage bucket="exec" folder="team" filename="president.jpg" />
  }
  const { person } = renderPage(Portrait, { at: '/console/pictures/exec/team/president.jpg' })
  await screen.findByText(/^This portrait is of Dr. Gone, who is no longer listed/)
  const choice = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Portrait of' })
  expect(choice.value).toBe('')
  await person.selectOptions(choice, 'Dr. Asha Iyer (Executive Committee, President; Board of Trustees)')
  const caption = screen.getByRole<HTMLInputElement>('textbox', { name: 'Caption (optional)' })
  expect(caption.value).toBe('Lamp')
  await person.clear(caption)
  api.current.on(`PUT ${where}`, { body: { ...lamp, caption: '', person: { ...people[0], isListed: true } } })
  await saveByKey(person)
  await waitFor(() => expect(api.current.requestsTo(`PUT ${where}`)).toHaveLength(1))
  expect(api.current.requestsTo(`PUT ${where}`)[0]?.body).toEqual({
    alt: 'A lamp',
    caption: '',
    person: { list: 'leaders', name: 'Dr. Asha Iyer' },
  })
})

test('a portrait of someone who is no longer listed stays theirs when only its alt text is changed', async () => {
  const where = '/api/console/media/exec/team/president.jpg'
  const portrait = { ...detail, hasPeople: true, people: [], isChosen: false, usedIn: [] }
  const gone = { list: 'leaders' as const, name: 'Dr. Gone', isListed: false }
  api.current.on(`GET ${where}`, { body: { ...portrait, person: gone } }).on(`PUT ${where}`, { body: lamp })
  const { person } = renderPage(() => <PicturePage bucket="exec" folder="team" filename="president.jpg" />, {
    at: '/console/pictures/exec/team/president.jpg',
  })
  await person.type(await screen.findByLabelText('Alt text'), ' lit')
  await saveByKey(person)
  await waitFor(() => expect(api.current.requestsTo(`PUT ${where}`)[0]?.body).toEqual({ alt: 'A lamp lit' }))
})
