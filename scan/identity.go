package scan

import "brick/project"

// repositoryID is the id of the repository of a checkout: by what it declares
// itself to be, so that it is the same wherever the checkout lies.
func repositoryID(tree *project.Tree) string {
	if name := tree.Name("."); name != "" {
		return "repo:" + name
	}
	return "repo:repository"
}
