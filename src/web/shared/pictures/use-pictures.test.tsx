import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { listImages, type StoredImage } from '#contract/public/media.ts'
import { useFakeApi } from '#tests/support/web/fake-api.ts'
import { clearCachedPictures } from './picture-cache.ts'
import { PICTURES_FAILED, usePictures } from './use-pictures.ts'

const api = useFakeApi()
const CALL = 'GET /api/s3/home/folder/gallery'
const HOUR = 3_600_000

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  // If the storage is full, lists are cached in memory until the page is closed.
  clearCachedPictures('home/gallery')
})

function picture(name: string, over: Partial<StoredImage> = {}): StoredImage {
  return {
    key: `gallery/${name}.jpg`,
    url: `/media/home/gallery/${name}.jpg`,
    filename: `${name}.jpg`,
    size: 1_000,
    lastModified: '2026-11-01T12:00:00.000Z',
    ...over,
  }
}

const answer = (...images: unknown[]) => ({ body: { success: true, message: 'OK', data: { images } } })

/** Shows what the hook knows; a click on a picture stands for its failure to load. */
function Gallery({ rendered = [] }: { rendered?: StoredImage[] }) {
  const { step, images, onPictureFailed: pictureFailed } = usePictures('home', 'gallery', rendered)
  return (
    <>
      <p>{step}</p>
      {step === 'failed' && <p>{PICTURES_FAILED}</p>}
      {images.map((image) => (
        <button type="button" key={image.key} onClick={() => pictureFailed(image)}>
          {image.filename}
        </button>
      ))}
    </>
  )
}

const shown = () => screen.queryAllByRole('button').map(({ textContent }) => textContent)
const calls = () => api.current.requestsTo(CALL).length

describe('pictures of a folder', () => {
  test('are loading until they are there', async () => {
    api.current.on(CALL, answer(picture('a'), picture('b')))
    render(<Gallery />)
    screen.getByText('loading')
    await screen.findByText('ready')
    expect(shown()).toEqual(['a.jpg', 'b.jpg'])
  })

  test('the server had rendered are there at once, and the fresh answer wins', async () => {
    api.current.on(CALL, answer(picture('new')))
    render(<Gallery rendered={[picture('old')]} />)
    expect(shown()).toEqual(['old.jpg'])
    await waitFor(() => expect(shown()).toEqual(['new.jpg']))
  })

  test('are an empty list when the fresh answer is empty', async () => {
    api.current.on(CALL, answer())
    render(<Gallery rendered={[picture('old')]} />)
    await waitFor(() => expect(shown()).toEqual([]))
    screen.getByText('ready')
  })

  test.each([
    ['a bad status', { status: 500, body: { message: 'Broken', code: 'INTERNAL' } }],
    ['a refusal', { status: 429, body: { message: 'Later', code: 'RATE_LIMITED' } }],
    ['no JSON', { text: '<html>' }],
    ['a wrong shape', { body: { images: [] } }],
    ['a picture without address', answer({ ...picture('a'), url: '' })],
  ])('are an empty list after %s (docs/product-rules.md#lists-that-cannot-be-loaded)', async (_, broken) => {
    api.current.on(CALL, broken)
    render(<Gallery rendered={[picture('old')]} />)
    await waitFor(() => expect(shown()).toEqual([]))
    screen.getByText('ready')
    expect(localStorage).toHaveLength(0)
  })

  test('stay, with an error message, after a network error (docs/product-rules.md#lists-that-cannot-be-loaded)', async () => {
    api.current.on(CALL, 'no network')
    render(<Gallery rendered={[picture('old')]} />)
    await screen.findByText('Failed to load images')
    expect(shown()).toEqual(['old.jpg'])
  })
})

describe('the cache', () => {
  test('answers for an hour, and no longer', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    api.current.on(CALL, answer(picture('first')), answer(picture('second')))
    render(<Gallery />)
    await screen.findByText('ready')
    for (const [passed, expected, called] of [
      [HOUR - 1, 'first.jpg', 1],
      [1, 'second.jpg', 2],
    ] as const) {
      cleanup()
      vi.setSystemTime(Date.now() + passed)
      render(<Gallery />)
      await screen.findByText(expected)
      expect(calls()).toBe(called)
    }
  })

  test('gives way to a newer list that the page brought, at once and for good', async () => {
    api.current.on(CALL, answer(picture('first')), answer(picture('first'), picture('added')))
    render(<Gallery />)
    await screen.findByText('first.jpg')
    cleanup()
    render(<Gallery rendered={[picture('first'), picture('added')]} />)
    expect(shown()).toEqual(['first.jpg', 'added.jpg'])
    await waitFor(() => expect(localStorage.getItem('pictures:home/gallery')).toContain('added.jpg'))
    expect([shown(), calls()]).toEqual([['first.jpg', 'added.jpg'], 2])
    cleanup()
    render(<Gallery rendered={[picture('first'), picture('added')]} />)
    await screen.findByText('ready')
    expect(calls()).toBe(2)
  })

  test('does not answer after the clock was set back', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    api.current.on(CALL, answer(picture('first')), answer(picture('second')))
    render(<Gallery />)
    await screen.findByText('ready')
    cleanup()
    vi.setSystemTime(Date.now() - 1)
    render(<Gallery />)
    await screen.findByText('second.jpg')
  })

  test('keeps no empty list', async () => {
    api.current.on(CALL, answer(), answer(picture('later')))
    render(<Gallery />)
    await screen.findByText('ready')
    cleanup()
    render(<Gallery />)
    await screen.findByText('later.jpg')
  })

  test.each(['', '{', 'null', '[]', '{"storedAt":"x","images":[]}', '{"storedAt":1,"images":[{}]}'])(
    'that holds %j is no cache',
    async (malformed) => {
      localStorage.setItem('pictures:home/gallery', malformed)
      api.current.on(CALL, answer(picture('a')))
      render(<Gallery />)
      await screen.findByText('a.jpg')
    },
  )

  test('holds 100 keys; the oldest goes first, what cannot be read before it, what is not ours never', async () => {
    localStorage.setItem('token', 'kept')
    for (let index = 0; index < 99; index++)
      localStorage.setItem(`pictures:${index}/x`, JSON.stringify({ storedAt: 1_000 - index, images: [] }))
    localStorage.setItem('pictures:broken/x', '{')
    api.current.on(CALL, answer(picture('a')))
    render(<Gallery />)
    await screen.findByText('a.jpg')
    const ours = () => Object.keys(localStorage).filter((key) => key.startsWith('pictures:'))
    expect(ours()).toHaveLength(100)
    expect(localStorage.getItem('pictures:broken/x')).toBeNull()

    cleanup()
    localStorage.removeItem('pictures:home/gallery')
    localStorage.setItem('pictures:new/x', JSON.stringify({ storedAt: 2_000, images: [] }))
    render(<Gallery />)
    await waitFor(() => expect(ours()).toContain('pictures:home/gallery'))
    expect(ours()).toHaveLength(100)
    expect(localStorage.getItem('pictures:98/x')).toBeNull()
    expect(localStorage.getItem('pictures:97/x')).not.toBeNull()
    expect(localStorage.getItem('token')).toBe('kept')
  })

  test.each([
    ['full', 'setItem'],
    ['blocked', 'getItem'],
  ] as const)('in %s storage does not stand in the way', async (_, method) => {
    vi.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException('No', 'QuotaExceededError')
    })
    api.current.on(CALL, answer(picture('a')))
    render(<Gallery />)
    await screen.findByText('a.jpg')
  })
})

describe('a picture that does not load', () => {
  test('clears the cache and asks for a new list', async () => {
    api.current.on(CALL, answer(picture('moved')), answer(picture('moved', { url: '/media/home/gallery/new.jpg' })))
    render(<Gallery />)
    await userEvent.click(await screen.findByRole('button', { name: 'moved.jpg' }))
    await waitFor(() => expect(localStorage.getItem('pictures:home/gallery')).toContain('new.jpg'))
    expect(calls()).toBe(2)
  })

  test('that fails again, and others that fail meanwhile, ask no more', async () => {
    api.current.on(CALL, answer(picture('a'), picture('b')))
    render(<Gallery />)
    const first = await screen.findByRole('button', { name: 'a.jpg' })
    first.click()
    screen.getByRole('button', { name: 'b.jpg' }).click()
    await waitFor(() => expect(calls()).toBe(2))
    await waitFor(() => expect(localStorage.getItem('pictures:home/gallery')).not.toBeNull())
    await userEvent.click(screen.getByRole('button', { name: 'a.jpg' }))
    await userEvent.click(screen.getByRole('button', { name: 'b.jpg' }))
    expect(calls()).toBe(2)
  })
})

test('the hook asks where the contract says, bucket and folder URL-encoded', async () => {
  expect(CALL).toBe(`${listImages.method} ${listImages.path.replace(':bucket', 'home').replace(':folder', 'gallery')}`)
  function Odd() {
    usePictures('home', 'a/b?c' as 'gallery')
    return null
  }
  api.current.on('GET /api/s3/home/folder/a%2Fb%3Fc', answer())
  render(<Odd />)
  await waitFor(() => expect(api.current.sent).toHaveLength(1))
})
