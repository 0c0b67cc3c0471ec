import { act } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'

const NOT_FOUND = { status: 404, statusText: 'Not Found', internal: false, data: null }

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const NotFoundResult = () => <h1>There is no door here</h1>

test('a wrong address stays on the screen when who views it is known before its script is here', async () => {
  vi.doMock('./not-found-result.tsx', () => ({ NotFoundResult }))
  const onServer = await import('./error-page.tsx')
  const container = document.createElement('div')
  // The first time it is still loading.
  await vi.waitFor(() => {
    container.innerHTML = renderToString(<onServer.ErrorPage error={NOT_FOUND} />)
    expect(container.textContent).toBe('There is no door here')
  })

  vi.resetModules()
  vi.doMock('./not-found-result.tsx', () => new Promise<never>(() => {}))
  const { ErrorPage } = await import('./error-page.tsx')
  const root = await act(async () => hydrateRoot(container, <ErrorPage error={NOT_FOUND} />))
  await act(async () => root.render(<ErrorPage error={NOT_FOUND} />))
  expect(container.textContent).toBe('There is no door here')
})
