import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
import './design/design.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client'
import { router } from './app/router'
import { whenKnownLate } from './app/routes'
import { cssVariables, theme } from './design/theme'
import { TroubleBanner } from './design/trouble-banner'
import { speakPreferred } from './i18n/language'
import { LiveProvider } from './live/live'
import { onPersonChange } from './session/session'

// After a sign-in or sign-out, here or in another tab, each route checks the user's role again.
onPersonChange(() => void router.invalidate())
whenKnownLate(() => void router.invalidate())

// boot.js waits for this. What it says stays until the first page is drawn.
window.dispatchEvent(new Event('jackfield.started'))
router.subscribe('onRendered', () => document.getElementById('boot')?.remove())

const root = document.getElementById('root')
if (!root) throw new Error('the page has no #root')

function draw(at: HTMLElement): void {
  createRoot(at).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <QueryClientProvider client={queryClient}>
          <LiveProvider>
            <TroubleBanner />
            <RouterProvider router={router} />
          </LiveProvider>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
}

void speakPreferred().then(() => draw(root))
