declare module "virtual:library" {
  const pages: { shelf: string; name: string; path: string; title: string; text: string }[];
  export default pages;
}
