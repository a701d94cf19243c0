/** The frame around every page: menu, palette, keys, signed-in user, and the phone. */
import { AppShell, Box, Burger, Button, Group, Kbd, UnstyledButton } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { ModalsProvider } from '@mantine/modals'
import { IconSearch } from '@tabler/icons-react'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { Suspense, lazy, useEffect, useState } from 'react'
import { OfflineBanner } from '../design/offline-banner'
import { Loading } from '../design/page'
import { headerParts, sideParts } from '../features/shell-parts'
import { common } from '../i18n/common'
import { useTexts } from '../i18n/texts'
import { usePerson, useSession } from '../session/session'
import { Menu, menuWidth, railWidth, useMenu } from './menu'
import { navigationFor } from './navigation'
import { usePeople } from './people'
import { useKeys } from './palette/use-keys'
import { shellTexts } from './texts'
import { WorkspaceTitle } from './workspace-title'
import { fetched } from '../api/fetched'

/** Not needed for the first paint. */
const AccountMenu = lazy(async () => fetched(async () => import('./account-menu')))
const OperatorBanner = lazy(async () =>
  fetched(async () => ({ default: (await import('./operator-banner')).OperatorBanner })),
)
const DocumentationLink = lazy(async () => fetched(async () => import('./documentation-link')))
const Palette = lazy(async () => fetched(async () => import('./palette/palette')))
const Notices = lazy(async () => fetched(async () => import('../design/notices')))
const KeysModal = lazy(async () => fetched(async () => import('./palette/keys')))

/** State of one user's screen must not reach the next user. */
export function Shell() {
  const person = usePerson()
  const [shown, setShown] = useState(person)
  // After sign-out the page stays until the next one is loaded.
  if (person !== null && person !== shown) setShown(person)
  return <PersonsShell key={shown} />
}

function PersonsShell() {
  const t = useTexts(shellTexts)
  const c = useTexts(common)
  const people = usePeople()
  const isEntry = useSession()?.kind === 'entry'
  const items = navigationFor(people)
  const menu = useMenu()
  const [opened, { toggle, close }] = useDisclosure()
  const [searching, search] = useDisclosure()
  const [listsKeys, keys] = useDisclosure()
  useKeys(items, keys.open)
  const isWide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false })
  const pathname = useLocation({ select: (location) => location.pathname })
  useEffect(close, [pathname, close])
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        search.open()
      }
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [search])
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{
        width: menu.state.isRail ? railWidth : menuWidth,
        breakpoint: 'md',
        collapsed: { mobile: !opened },
      }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a
        href="#content"
        className="jf-skip"
        onClick={(event) => {
          // The address stays: to the router another one would be a way to another page.
          event.preventDefault()
          document.querySelector<HTMLElement>('#content')?.focus()
        }}
      >
        {c('skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="sm" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="xs" wrap="nowrap" style={{ minWidth: 0 }}>
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="md"
              size="sm"
              aria-label={c('menu')}
              aria-expanded={opened}
            />
            <UnstyledButton component={Link} to="/" fw={700}>
              Jackfield
            </UnstyledButton>
            <WorkspaceTitle />
          </Group>
          <Group gap="xs" wrap="nowrap">
            {/* Late items come first from the left, so that nothing on screen moves. */}
            {headerParts
              .filter((part) => part.for.some((person) => people.has(person)))
              .map(({ key, Part }) => (
                <Suspense key={key}>
                  <Part />
                </Suspense>
              ))}
            <Button
              variant="default"
              leftSection={<IconSearch size={16} />}
              rightSection={isWide ? <Kbd size="xs">Ctrl K</Kbd> : undefined}
              onClick={search.open}
              aria-label={isWide ? undefined : t('findPage')}
              px={isWide ? undefined : 8}
              styles={isWide ? {} : { section: { margin: 0 } }}
            >
              {isWide ? t('findPage') : null}
            </Button>
            <Suspense fallback={<Box w={34} h={34} visibleFrom="sm" />}>
              <DocumentationLink />
            </Suspense>
            <Suspense fallback={<Box w={34} h={34} />}>
              <AccountMenu />
            </Suspense>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs">
        <Menu isShown={isWide || opened} {...{ items, isWide, menu }} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} style={{ outline: 'none' }}>
        <OfflineBanner />
        {isEntry && (
          <Suspense>
            <OperatorBanner />
          </Suspense>
        )}
        <ModalsProvider>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </ModalsProvider>
      </AppShell.Main>
      <Suspense>
        <Notices />
      </Suspense>
      {sideParts
        .filter((part) => part.for.some((person) => people.has(person)))
        .map(({ key, Part }) => (
          <Suspense key={key}>
            <Part />
          </Suspense>
        ))}
      {searching && (
        <Suspense>
          <Palette items={items} onClose={search.close} onKeys={keys.open} />
        </Suspense>
      )}
      {listsKeys && (
        <Suspense>
          <KeysModal items={items} onClose={keys.close} />
        </Suspense>
      )}
    </AppShell>
  )
}
