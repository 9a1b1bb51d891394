import type { ReactNode } from 'react'

/** Decoration beside words; nothing is said by an icon alone. */
const icon = (drawing: ReactNode) => {
  const Icon = ({ size = 18 }: { size?: number }) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {drawing}
    </svg>
  )
  return Icon
}

export const CalendarIcon = icon(<path d="M4 6.5h16v13H4zM4 10.5h16M8 3.5v4M16 3.5v4" />)
export const SearchIcon = icon(<path d="M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 20 20" />)
export const PersonIcon = icon(
  <path d="M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4.5 20c.8-3.6 3.8-5.5 7.5-5.5s6.7 1.9 7.5 5.5" />,
)
export const KeyboardIcon = icon(<path d="M3 6.500h18v11H3zM7 10h.01M11 10h.01M15 10h.01M17.5 10h.01M8 14h8" />)
export const SignOutIcon = icon(<path d="M14 4H5v16h9M10 12h10M16.5 8.5 20 12l-3.5 3.5" />)
export const ArrowIcon = icon(<path d="M7 17 17 7M9 7h8v8" />)
export const BackIcon = icon(<path d="M19 12H5M11 6l-6 6 6 6" />)
export const HouseIcon = icon(<path d="M4 20V9l8-5 8 5v11M9.5 20v-6h5v6" />)
export const ThemeIcon = icon(<path d="M12 4a8 8 0 1 0 8 8 6 6 0 0 1-8-8z" />)
export const LanguageIcon = icon(
  <path d="M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM4 12h16M12 4c2.5 2.2 3.5 5 3.5 8s-1 5.8-3.5 8c-2.5-2.2-3.5-5-3.5-8s1-5.8 3.5-8z" />,
)
export const HandleIcon = icon(<path d="M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01" />)
export const PlusIcon = icon(<path d="M12 5v14M5 12h14" />)
export const LinkIcon = icon(
  <path d="M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.700-5.700l-1.500 1.500M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.700 5.700l1.500-1.500" />,
)
export const BulletsIcon = icon(<path d="M9 6h11M9 12h11M9 18h11M4.500 6h.01M4.500 12h.01M4.500 18h.01" />)
export const NumbersIcon = icon(<path d="M10 6h10M10 12h10M10 18h10M4 5l1.500-1v5M4 14h2.500L4 18h2.500" />)
export const ListIcon = icon(<path d="M4 6h16M4 12h16M4 18h10" />)
export const InboxIcon = icon(<path d="M4 13.5 6.500 5h11L20 13.5V19H4zM4 13.5h5l1 2.500h4l1-2.500h5" />)
export const UploadIcon = icon(<path d="M12 16V5M7.500 9 12 4.500 16.500 9M4.500 19.500h15" />)
export const CartIcon = icon(<path d="M3 4.500h2.500l2 10.500h10l2-7.500H6.200M9 19.500h.01M16 19.500h.01" />)
export const GiftIcon = icon(
  <path d="M4 8.500h16V12H4zM5.500 12v8h13v-8M12 8.500V20M12 8.500c-3 0-5-1-5-2.700S9 3.500 12 8.500c3-5 5-4.400 5-2.700s-2 2.700-5 2.700z" />,
)
export const BoardIcon = icon(<path d="M4 5h4.500v14H4zM9.750 5h4.500v9h-4.500zM15.500 5H20v11.500h-4.500z" />)
export const ClipIcon = icon(
  <path d="m19.500 11-7.800 7.800a4.600 4.600 0 0 1-6.500-6.500l8-8a3.100 3.100 0 0 1 4.400 4.400l-8 8a1.550 1.550 0 0 1-2.200-2.200l7.300-7.300" />,
)
export const BellIcon = icon(<path d="M6 16.500V11a6 6 0 0 1 12 0v5.500l1.500 1.500h-15zM10 20.500h4" />)
