/** The part of functional-red-black-tree 1.0.1 that the benchmarks use; it brings no types. */
declare module 'functional-red-black-tree' {
  export interface TreeIterator<Key> {
    /** undefined at either end. */
    readonly key: Key | undefined;
  }
  export interface Tree<Key, Value> {
    /** The greatest entry. */
    readonly end: TreeIterator<Key>;
    insert(key: Key, value: Value): Tree<Key, Value>;
    remove(key: Key): Tree<Key, Value>;
    /** The greatest entry below a key. */
    lt(key: Key): TreeIterator<Key>;
  }
  // biome-ignore lint/style/noDefaultExport: what the package exports
  export default function createTree<Key, Value>(
    compare: (a: Key, b: Key) => number,
  ): Tree<Key, Value>;
}
