/** Screens on a wall: windows so wide are read from afar, and everything in them is larger (design.css). */
import { useMediaQuery } from '@mantine/hooks'

/** How much larger than on a desk, for what is not measured in rem. */
export function useWallScale(): number {
  const isWall = useMediaQuery('(min-width: 200em)', undefined, { getInitialValueInEffect: false })
  return isWall ? 1.75 : 1
}
