import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './design/design.css'
import { MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client'
import { router } from './app/router'
import { cssVariables, theme } from './design/theme'
import { LiveProvider } from './live/live'
import { onSessionChange, sessionNow } from './session/session'

onSessionChange(() => {
  // Signed out, here or in another tab.
  if (!sessionNow()) void router.invalidate()
})

const root = document.getElementById('root')
if (!root) throw new Error('the page has no #root')

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <LiveProvider>
          <ModalsProvider>
            <Notifications position="bottom-right" limit={4} />
            <RouterProvider router={router} />
          </ModalsProvider>
        </LiveProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
