import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import { detail, lamp, sand } from '#tests/support/web/picture-samples.ts'
import PicturesPage from './picture-list.tsx'

const api = useFakeApi()
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

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

const UPLOAD = 'POST /api/console/media/home/articles'
const file = (name: string, type = 'image/jpeg', bytes = 1_000) => {
  const made = new File(['x'], name, { type })
  Object.defineProperty(made, 'size', { value: bytes })
  return made
}
const drop = (files: File[]) => fireEvent.change(screen.getByLabelText('Choose images'), { target: { files } })

test('many images are added at once without texts: one that fails does not stop the others and can be tried again', async () => {
  api.current
    .on('GET /api/console/media', { body: media })
    .on(UPLOAD, { status: 201, body: sand }, 'no network', { status: 201, body: sand })
  const { person } = renderPage(PicturesPage, { at: '/console/pictures' })
  await screen.findByText('lamp.jpg')
  drop([
    file('one.jpg'),
    file('two.jpg'),
    file('three.jpg'),
    file('scan.tiff', 'image/tiff', 40 * 1024 * 1024),
    file('IMG_1.HEIC', 'image/heic'),
  ])
  await screen.findByText('2 added, 3 not added')
  screen.getByText('The image is larger than 25 MB. Reduce its size and try again.')
  screen.getByText(/^This image is in HEIC format, which browsers cannot show/)
  expect(api.current.requestsTo(UPLOAD)[0]?.query).toEqual({
    filename: 'one.jpg',
    ticket: expect.stringMatching(/^[0-9a-f]+$/) as string,
  })
  const failed = screen.getByText(/We couldn’t reach the site/).closest('li') as HTMLElement
  await person.click(within(failed).getByRole('button', { name: /again$/ }))
  await screen.findByText('3 added, 2 not added')
  expect(api.current.requestsTo(UPLOAD)).toHaveLength(4)
})

test('images are taken only once the folder they go to is known', async () => {
  api.current.on('GET /api/console/media', { body: media })
  renderPage(PicturesPage, { at: '/console/pictures?folder=home%2Fgallery' })
  expect(screen.queryByLabelText('Choose images')).toBeNull()
  await screen.findByLabelText('Choose images')
})

test('alt text and caption are given afterwards, each saved when its field is left', async () => {
  const bare = { ...sand, bucket: 'home', folder: 'gallery', alt: '' }
  const where = '/api/console/media/home/gallery/sand.jpg'
  api.current
    .on('GET /api/console/media', { body: { ...media, pictures: [bare], undescribed: 1 } })
    .on(`PUT ${where}`, { body: { ...bare, alt: 'Sand in the wind' } })
  const { person } = renderPage(PicturesPage, { at: '/console/pictures?show=undescribed' })
  await person.type(await screen.findByLabelText('Alt text'), 'Sand in the wind')
  await person.tab()
  await screen.findByText('Saved')
  await person.type(screen.getByLabelText('Caption'), 'At the coast')
  await person.tab()
  await waitFor(() => expect(api.current.requestsTo(`PUT ${where}`)).toHaveLength(2))
  expect(api.current.requestsTo(`PUT ${where}`).map(({ body }) => body)).toEqual([
    { alt: 'Sand in the wind' },
    { caption: 'At the coast' },
  ])
})

test('a folder is ordered from the menu of an image, and the order can be taken back', async () => {
  const ORDER = 'PUT /api/console/media-order/home/articles'
  api.current.on('GET /api/console/media', { body: media }).on(ORDER, { status: 204, body: null })
  const { person } = renderPage(PicturesPage, { at: '/console/pictures?folder=home%2Farticles' })
  await person.click(await screen.findByRole('button', { name: 'Actions for sand.jpg' }))
  await person.click(await screen.findByRole('menuitem', { name: 'Move up' }))
  await waitFor(() => expect(api.current.requestsTo(ORDER)).toHaveLength(1))
  expect(api.current.requestsTo(ORDER)[0]?.body).toEqual({ filenames: ['sand.jpg', 'lamp.jpg'] })
  const names = () => screen.getAllByRole('link', { name: /jpg$/ }).map(({ textContent }) => textContent)
  expect(names()).toEqual(['sand.jpg', 'lamp.jpg'])
})

test('a queued upload shows how many images are ahead', async () => {
  api.current
    .on('GET /api/console/media', { body: media })
    .on(UPLOAD, 'never')
    .on('GET /api/console/media-queue', { body: { ahead: 2 } }, { body: { ahead: 0 } })
  renderPage(PicturesPage, { at: '/console/pictures' })
  await screen.findByText('lamp.jpg')
  drop([file('lamps.jpg')])
  const patience = { timeout: 10_000 }
  await screen.findByText('Waiting for 2 other images', undefined, patience)
  await screen.findByText('Processing…', undefined, patience)
}, 30_000)
