/** The menu beside every page: its sections fold, and the whole of it to a rail of icons. */
import { Box, Collapse, NavLink, ScrollArea, Text, Tooltip, UnstyledButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import {
  IconChevronDown,
  IconChevronRight,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
} from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { type Ref, Suspense, useEffect, useRef, useState } from 'react'
import { useTexts } from '../i18n/texts'
import { usePerson } from '../session/session'
import { type MenuState, storeMenu, storedMenu, withFolded } from './menu-state'
import type { NavigationItem, NavigationSection } from './navigation-item'
import { shellTexts } from './texts'
import './menu.css'

export const menuWidth = 232
export const railWidth = 64

export function useMenu() {
  const person = usePerson()
  const [state, setState] = useState(() => storedMenu(person))
  const change = (next: MenuState) => {
    setState(next)
    storeMenu(person, next)
  }
  const toggleRail = () => change({ ...state, isRail: !state.isRail })
  useHotkeys([['alt+shift+B', toggleRail]], [])
  return { state, change, toggleRail }
}

interface MenuProps {
  items: readonly NavigationItem[]
  /** Whether it is on the screen: the current entry is then scrolled to. */
  isShown: boolean
  /** Narrow screens have no rail. */
  isWide: boolean
  menu: ReturnType<typeof useMenu>
}

export function Menu({ items, isShown, isWide, menu: { state, change, toggleRail } }: MenuProps) {
  const isRail = state.isRail && isWide
  const pathname = useLocation({ select: (location) => location.pathname })
  const here = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isShown) here.current?.scrollIntoView({ block: 'nearest' })
  }, [isShown, pathname])
  const sections = [...new Set(items.map(({ section }) => section))]
  return (
    <>
      <ScrollArea type="auto" scrollbarSize={6} style={{ flex: 1 }}>
        {sections.map((section) => (
          <Section
            key={section}
            {...{ section, isRail, here, pathname }}
            items={items.filter((item) => item.section === section)}
            isFolded={state.folded.includes(section) && !isRail}
            onFold={() => change(withFolded(state, section))}
          />
        ))}
      </ScrollArea>
      {isWide && <RailButton isRail={isRail} onClick={toggleRail} />}
    </>
  )
}

interface SectionProps {
  section: NavigationSection
  items: readonly NavigationItem[]
  isRail: boolean
  isFolded: boolean
  onFold: () => void
  here: Ref<HTMLAnchorElement>
  pathname: string
}

function Section({ section, items, isRail, isFolded, onFold, here, pathname }: SectionProps) {
  const t = useTexts(shellTexts)
  const entries = items.map((item) => {
    const isHere = pathname === item.path || pathname.startsWith(`${item.path}/`)
    return { item, isHere, entry: <Entry key={item.path} {...{ item, isHere, isRail, here }} /> }
  })
  if (isRail) {
    return (
      <Box component="section" className="jf-rail" aria-label={t(`section_${section}`)}>
        {entries.map(({ entry }) => entry)}
      </Box>
    )
  }
  const Chevron = isFolded ? IconChevronRight : IconChevronDown
  return (
    <Box mb="xs" component="section" aria-label={t(`section_${section}`)}>
      <UnstyledButton className="jf-section" aria-expanded={!isFolded} onClick={onFold}>
        <Text span size="xs" c="dimmed" fw={600}>
          {t(`section_${section}`)}
        </Text>
        <Chevron size={14} aria-hidden />
      </UnstyledButton>
      {/* The page that is open is never hidden. */}
      {isFolded && entries.filter(({ isHere }) => isHere).map(({ entry }) => entry)}
      <Collapse expanded={!isFolded}>{!isFolded && entries.map(({ entry }) => entry)}</Collapse>
    </Box>
  )
}

function Entry({
  item: { path, label, icon: Icon, Badge },
  isHere,
  isRail,
  here,
}: Pick<SectionProps, 'isRail' | 'here'> & { item: NavigationItem; isHere: boolean }) {
  const badge = Badge && (
    <Suspense>
      <Badge />
    </Suspense>
  )
  return (
    <Tooltip
      label={label()}
      position="right"
      disabled={!isRail}
      events={{ hover: true, focus: true, touch: false }}
    >
      <NavLink
        ref={isHere ? here : undefined}
        component={Link}
        to={path}
        {...(isRail ? { 'aria-label': label() } : { label: label() })}
        leftSection={<Icon size={isRail ? 20 : 18} aria-hidden />}
        rightSection={badge}
        active={isHere}
        aria-current={isHere ? 'page' : undefined}
      />
    </Tooltip>
  )
}

function RailButton({ isRail, onClick }: { isRail: boolean; onClick: () => void }) {
  const t = useTexts(shellTexts)
  const label = t(isRail ? 'unfoldMenu' : 'foldMenu')
  const Icon = isRail ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <Tooltip label={`${label} (Alt+Shift+B)`} position="right">
      <UnstyledButton
        className="jf-section"
        aria-label={label}
        aria-expanded={!isRail}
        aria-keyshortcuts="Alt+Shift+B"
        data-rail={isRail || undefined}
        onClick={onClick}
      >
        <Icon size={20} aria-hidden />
      </UnstyledButton>
    </Tooltip>
  )
}
