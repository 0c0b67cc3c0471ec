import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { DescribedPicture, PictureDetail } from '#contract/console-media.ts'
import { refusal, tokenFor, useFakeApi } from '#web/api/fake-api.ts'
import { renderPage } from '../render-page.tsx'
import PicturePage from './picture.tsx'
import PicturesPage from './pictures.tsx'

const api = useFakeApi()
const PATH = '/api/console/media/home/articles/lamp.jpg'
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const lamp: DescribedPicture = {
  key: 'articles/lamp.jpg',
  url: '/media/home/articles/lamp.jpg?v=1',
  filename: 'lamp.jpg',
  size: 20_480,
  lastModified: '2030-01-01T00:00:00.000Z',
  alt: 'A lamp',
  caption: null,
  person: null,
  address: '/media/home/articles/lamp.jpg',
  usedIn: [
    { title: 'Gala', what: 'event', path: '/console/content/events/gala', how: ['public', 'draft'] },
    { title: 'Spring', what: 'newsletter', path: '/console/newsletter/n1', how: ['sent'] },
  ],
}
const sand: DescribedPicture = {
  ...lamp,
  key: 'articles/sand.jpg',
  url: '/media/home/articles/sand.jpg?v=1',
  filename: 'sand.jpg',
  alt: 'Sand',
  address: '/media/home/articles/sand.jpg',
  usedIn: [],
}
const detail: PictureDetail = {
  ...lamp,
  label: 'For events, news and pages',
  use: 'Choose them where you write.',
  hasCaptions: false,
  hasPeople: false,
  people: [],
  isChosen: true,
  original: { width: 800, height: 600, preview: 'data:image/webp;base64,UklGRg==' },
  crop: null,
}
const ARTICLES = { bucket: 'home', folder: 'articles' }
const flags = { hasCaptions: false, hasPeople: false }
const folders = [
  { bucket: 'home', folder: 'articles', label: detail.label, use: detail.use, ...flags, pictures: [lamp, sand] },
]
const media = { folders, people: [], drawings: [] }

function LampPage() {
  return <PicturePage id="home/articles/lamp.jpg" />
}
const open = () => renderPage(LampPage, { at: '/console/pictures/home/articles/lamp.jpg' })

test('a frame is moved and sized with the arrow keys, and what the server made of it is shown; the whole comes back', async () => {
  api.current.on(`GET ${PATH}`, { body: detail })
  const { person } = open()
  const box = await screen.findByRole('group', { name: 'What stays of the picture' })
  const crop = screen.getByRole<HTMLButtonElement>('button', { name: 'Crop it' })
  expect(crop.disabled).toBe(true)
  screen.getByRole('img', { name: 'How it will look' })
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
  await screen.findByText(/nothing you typed is lost/)
  const wanted = { left: 1_350, top: 100, width: 6_900, height: 9_200 }
  api.current.on(`PUT ${PATH}/crop`, { body: { ...detail, url: '/media/home/articles/lamp.jpg?v=2', crop: wanted } })
  await person.click(crop)
  await screen.findByText(/^Cropped\./)
  expect(api.current.of(`PUT ${PATH}/crop`).map(({ body }) => body)).toEqual([wanted, wanted])
  expect(screen.getByRole('img', { name: 'A lamp' }).getAttribute('src')).toContain('?v=2')

  api.current.on(`DELETE ${PATH}/crop`, { body: detail })
  await person.click(screen.getByRole('button', { name: 'Give the whole picture back' }))
  await screen.findByText('The whole picture is back.')
  within(box).getByText('800 by 600 pixels, 0 from the left and 0 from the top')
})

test('another takes its place after every use was named; what is used elsewhere by now is shown first', async () => {
  api.current.on(`GET ${PATH}`, { body: detail }).on('GET /api/console/media', { body: media })
  const { person } = open()
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Delete the picture' })).disabled).toBe(true)
  await person.click(screen.getByRole('button', { name: 'Replace by another picture' }))
  const choice = await screen.findByRole('dialog', { name: 'Replace by another picture' })
  await person.click(await within(choice).findByRole('button', { name: /Sand/ }))
  expect(within(choice).queryByRole('button', { name: /A lamp/ })).toBeNull()
  const dialog = await screen.findByRole('dialog', { name: 'Replace it everywhere?' })
  within(dialog).getByRole('link', { name: 'Gala' })
  expect(within(dialog).queryByRole('link', { name: 'Spring' })).toBeNull()
  within(dialog).getByText('One letter that was sent stays as people have it.')
  const more = [
    ...lamp.usedIn,
    { title: 'Clinic', what: 'page', path: '/console/content/pages/clinic', how: ['public'] },
    { title: 'Summer', what: 'newsletter', path: '/console/newsletter/n2', how: ['sent'] },
  ]
  api.current
    .on(`POST ${PATH}/replacement`, refusal(409, 'CHANGED_MEANWHILE', 'Somebody else changed this meanwhile.'))
    .on(`GET ${PATH}`, { body: { ...detail, usedIn: more } })
  await person.click(within(dialog).getByRole('button', { name: 'Replace it there' }))
  await within(dialog).findByRole('link', { name: 'Clinic' })
  within(dialog).getByText('Somebody else changed this meanwhile.')
  within(dialog).getByText('2 letters that were sent stay as people have them.')
  api.current.on(`POST ${PATH}/replacement`, { body: { ...detail, usedIn: [lamp.usedIn[1]] } })
  await person.click(within(dialog).getByRole('button', { name: 'Replace it in all 2 places' }))
  await screen.findByText('Replaced. Visitors see the other picture within a second.')
  expect(api.current.of(`POST ${PATH}/replacement`).map(({ body }) => body)).toEqual([
    { by: 'sand.jpg', byPlace: ARTICLES, seen: ['/console/content/events/gala'] },
    { by: 'sand.jpg', byPlace: ARTICLES, seen: ['/console/content/events/gala', '/console/content/pages/clinic'] },
  ])
  expect(screen.queryByRole('button', { name: 'Replace by another picture' })).toBeNull()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  await person.click(screen.getByRole('button', { name: 'Delete the picture' }))
  await screen.findByText('It will be missing in letters that were sent with it.')
})

test('while one takes the place of the other its window asks for no third; that it failed is told there', async () => {
  let answer: (what: 'no network') => void = () => {}
  api.current
    .on(`GET ${PATH}`, { body: detail })
    .on('GET /api/console/media', { body: media })
    .on(`POST ${PATH}/replacement`, new Promise<'no network'>((resolve) => (answer = resolve)))
  const { person } = open()
  await person.click(await screen.findByRole('button', { name: 'Replace by another picture' }))
  const dialog = await screen.findByRole('dialog', { name: 'Replace by another picture' })
  await person.click(await within(dialog).findByRole('button', { name: /Sand/ }))
  await person.click(within(dialog).getByRole('button', { name: 'Replace it there' }))
  const another = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Choose another' })
  await person.click(another)
  expect(another.isConnected && another.disabled).toBe(true)
  answer('no network')
  await within(dialog).findByText(/nothing you typed is lost/)
  await waitFor(() => expect(another.disabled).toBe(false))
})

test('while a picture is sent no other is chosen: it would be taken back by the one that comes', async () => {
  let answer: (what: 'no network') => void = () => {}
  api.current
    .on(`GET ${PATH}`, { body: detail })
    .on('GET /api/console/media', { body: media })
    .on('POST /api/console/media/home/articles', new Promise<'no network'>((resolve) => (answer = resolve)))
  const { person } = open()
  await person.click(await screen.findByRole('button', { name: 'Replace by another picture' }))
  const dialog = await screen.findByRole('dialog', { name: 'Replace by another picture' })
  const other = await within(dialog).findByRole<HTMLButtonElement>('button', { name: /Sand/ })
  await person.type(within(dialog).getByLabelText('What it shows'), 'Lamps on water')
  const file = new File(['x'], 'lamps.jpg', { type: 'image/jpeg' })
  fireEvent.change(within(dialog).getByLabelText('Picture'), { target: { files: [file] } })
  await person.click(within(dialog).getByRole('button', { name: 'Add the picture' }))
  await person.click(other)
  expect(other.isConnected && other.disabled).toBe(true)
  answer('no network')
  await within(dialog).findByText(/The site did not answer/)
  expect(other.disabled).toBe(false)
})

test('an upload over a lost network is tried again with everything that was filled in; what cannot be taken is told before', async () => {
  api.current.on('GET /api/console/media', { body: media }).on('POST /api/console/media/home/articles', 'no network')
  const { person } = renderPage(PicturesPage, { at: '/console/pictures' })
  await person.click(await screen.findByRole('button', { name: /^Add a picture to/ }))
  const dialog = await screen.findByRole('dialog', { name: 'Add a picture' })
  const choose = (name: string, type: string, bytes: number) => {
    const file = new File(['x'], name, { type })
    Object.defineProperty(file, 'size', { value: bytes })
    fireEvent.change(within(dialog).getByLabelText('Picture'), { target: { files: [file] } })
  }
  await person.type(within(dialog).getByLabelText('What it shows'), 'Lamps on water')
  choose('scan.tiff', 'image/tiff', 40 * 1024 * 1024)
  await person.click(within(dialog).getByRole('button', { name: 'Add the picture' }))
  await within(dialog).findByText('The picture is larger than 25 MB. Save it smaller and try again.')
  choose('IMG_1.HEIC', 'image/heic', 2_000_000)
  await person.click(within(dialog).getByRole('button', { name: 'Add the picture' }))
  await within(dialog).findByText(/^This picture is HEIC, which browsers do not show/)
  expect(api.current.of('POST /api/console/media/home/articles')).toEqual([])

  choose('lamps.jpg', 'image/jpeg', 1_000)
  await person.click(within(dialog).getByRole('button', { name: 'Add the picture' }))
  await within(dialog).findByText(/The site did not answer/)
  expect(within(dialog).getByLabelText<HTMLInputElement>('What it shows').value).toBe('Lamps on water')
  api.current.on('POST /api/console/media/home/articles', { status: 201, body: { ...sand, filename: 'lamps.jpg' } })
  await person.click(within(dialog).getByRole('button', { name: 'Try again' }))
  await waitFor(() =>
    expect(api.current.of('POST /api/console/media/home/articles').map(({ query }) => query)).toEqual([
      {
        filename: 'lamps.jpg',
        alt: 'Lamps on water',
        caption: '',
        ticket: expect.stringMatching(/^[0-9a-f]+$/) as string,
      },
      {
        filename: 'lamps.jpg',
        alt: 'Lamps on water',
        caption: '',
        ticket: expect.stringMatching(/^[0-9a-f]+$/) as string,
      },
    ]),
  )
})

test('everything of the store can be put in its place, whatever folder it lies in', async () => {
  const stage: DescribedPicture = {
    ...sand,
    key: 'gallery/stage.jpg',
    alt: 'A stage',
    address: '/media/home/gallery/stage.jpg',
  }
  const gallery = { bucket: 'home', folder: 'gallery', label: 'The association in action', use: '', ...flags }
  const both = { ...media, folders: [...folders, { ...gallery, hasCaptions: true, pictures: [stage] }] }
  api.current.on(`GET ${PATH}`, { body: detail }).on('GET /api/console/media', { body: both })
  const { person } = open()
  await person.click(await screen.findByRole('button', { name: 'Replace by another picture' }))
  const dialog = await screen.findByRole('dialog')
  const found = await within(dialog).findByRole('region', { name: 'The association in action' })
  expect(within(dialog).queryByRole('region', { name: 'Drawings of the site' })).toBeNull()
  await person.click(within(found).getByRole('button', { name: /A stage/ }))
  api.current.on(`POST ${PATH}/replacement`, { body: { ...detail, usedIn: [] } })
  await person.click(await within(dialog).findByRole('button', { name: 'Replace it there' }))
  await screen.findByText('Replaced. Visitors see the other picture within a second.')
  expect(api.current.of(`POST ${PATH}/replacement`)[0]?.body).toMatchObject({ byPlace: { folder: 'gallery' } })
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
    return <PicturePage id="exec/team/president.jpg" />
  }
  const { person } = renderPage(Portrait, { at: '/console/pictures/exec/team/president.jpg' })
  await screen.findByText(/^It was chosen for Dr. Gone, who is no longer listed/)
  const choice = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Whose portrait' })
  expect(choice.value).toBe('')
  await person.selectOptions(choice, 'Dr. Asha Iyer (Executive Committee, President; Board of Trustees)')
  const caption = screen.getByRole<HTMLInputElement>('textbox', { name: 'Caption (optional)' })
  expect(caption.value).toBe('Lamp')
  await person.clear(caption)
  api.current.on(`PUT ${where}`, { body: { ...lamp, caption: '', person: { ...people[0], isListed: true } } })
  await person.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('Saved.')
  expect(api.current.of(`PUT ${where}`)[0]?.body).toEqual({
    alt: 'A lamp',
    caption: '',
    person: { list: 'leaders', name: 'Dr. Asha Iyer' },
  })
})

test('whoever waits for other pictures is told how many come before', async () => {
  api.current
    .on('GET /api/console/media', { body: media })
    .on('POST /api/console/media/home/articles', 'never')
    .on('GET /api/console/media-queue', { body: { ahead: 2 } }, { body: { ahead: 0 } })
  const { person } = renderPage(PicturesPage, { at: '/console/pictures' })
  await person.click(await screen.findByRole('button', { name: 'Add a picture to For events, news and pages' }))
  const form = within(await screen.findByRole('dialog'))
  await person.upload(form.getByLabelText('Picture'), new File(['x'], 'lamps.jpg', { type: 'image/jpeg' }))
  await person.type(form.getByLabelText('What it shows'), 'Lamps')
  await person.click(form.getByRole('button', { name: 'Add the picture' }))
  const patience = { timeout: 10_000 }
  await form.findByText('It has arrived. 2 other pictures are being prepared before it.', undefined, patience)
  await form.findByText('It has arrived and is being prepared.', undefined, patience)
}, 30_000)
