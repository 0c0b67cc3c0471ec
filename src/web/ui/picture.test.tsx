import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Picture } from './picture.tsx'

afterEach(cleanup)

const picture = { alt: 'Lamps on the steps', width: 1200, height: 900 }
const shown = () => screen.getByRole('img', { name: 'Lamps on the steps' }).getAttribute('src')

test('an image that fails to load is replaced by a placeholder with its alt text, and calls onFailed', () => {
  const failed = vi.fn<() => void>()
  render(<Picture {...picture} src="/a.jpg" onFailed={failed} />)
  expect(shown()).toBe('/a.jpg')
  fireEvent.error(screen.getByRole('img'))
  expect(shown()).toBe('/art/spot-missing.svg')
  expect(failed).toHaveBeenCalledTimes(1)
})

test('a new src is tried again', () => {
  const { rerender } = render(<Picture {...picture} src="/a.jpg" />)
  fireEvent.error(screen.getByRole('img'))
  rerender(<Picture {...picture} src="/b.jpg" />)
  expect(shown()).toBe('/b.jpg')
})

test('smaller sizes are offered by format, the image itself to other browsers', () => {
  const size = (width: number, type: string) => ({ url: `/${width}.${type}`, width, type: `image/${type}` })
  const sizes = [size(480, 'webp'), size(480, 'avif'), size(960, 'webp'), size(960, 'avif')]
  const { container } = render(<Picture {...picture} src="/a.jpg" sizes={sizes} displayWidth="50vw" />)
  const sources = [...container.querySelectorAll('source')]
  expect(sources.map(({ type, srcset, sizes: shownAt }) => [type, srcset, shownAt])).toEqual([
    ['image/avif', '/480.avif 480w, /960.avif 960w', '50vw'],
    ['image/webp', '/480.webp 480w, /960.webp 960w', '50vw'],
  ])
  expect(shown()).toBe('/a.jpg')
})

test('the first image of a page loads immediately, the others lazily', () => {
  const { rerender } = render(<Picture {...picture} src="/a.jpg" isPriority />)
  expect(screen.getByRole('img').getAttribute('loading')).toBe('eager')
  rerender(<Picture {...picture} src="/a.jpg" />)
  expect(screen.getByRole('img').getAttribute('loading')).toBe('lazy')
})
